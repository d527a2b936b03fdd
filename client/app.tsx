import { Outlet, ScrollRestoration } from 'react-router-dom';

/** What every public page shares: header, main landmark, footer. */
export function App() {
  return (
    <>
      <main id="main">
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  );
}
