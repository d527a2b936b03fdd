import { Outlet } from 'react-router-dom';
import { AccountSlot } from './features/auth/account-slot.js';
import { FailurePage } from './features/shell/failure-page.js';
import { Shell } from './features/shell/shell.js';

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
