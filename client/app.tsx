import { Outlet, ScrollRestoration } from 'react-router-dom';
import { ToastSlot } from './components/toast-slot.js';
import { AccountSlot } from './features/auth/account-slot.js';
import { FailurePage } from './features/shell/failure-page.js';
import { RouteFocus } from './features/shell/route-focus.js';
import { Shell } from './features/shell/shell.js';

/** What stays when the frame changes, between the site and its admin area: messages, and where the focus goes. */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastSlot />
      <RouteFocus />
      <ScrollRestoration />
    </>
  );
}

/** Every public page, inside what they share. */
export function App() {
  return (
    <Shell headerEnd={<AccountSlot place="header" />} sideMenuEnd={<AccountSlot place="side-menu" />}>
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
