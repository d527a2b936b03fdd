import { Outlet } from 'react-router-dom';
import { FailurePage } from './features/shell/failure-page.js';
import { Shell } from './features/shell/shell.js';

/** Every public page, inside what they share. */
export function App() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}

/** Stands in for a page that could not be shown. */
export function AppFailure() {
  return (
    <Shell>
      <FailurePage />
    </Shell>
  );
}
