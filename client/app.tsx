import { Outlet, ScrollRestoration, type Location } from 'react-router-dom';
import { ToastSlot } from './components/toast-slot.js';
import { AccountSlot } from './features/auth/account-slot.js';
import { FailurePage } from './features/shell/failure-page.js';
import { RouteFocus } from './features/shell/route-focus.js';
import { Shell } from './features/shell/shell.js';

/**
 * Returns the key of a scroll position. Places of a page to which a plain link leads have no key of their own: with the
 * page's key, a visit would be taken for a return and scrolled away.
 */
function scrollKeyOf({ key, hash }: Location): string {
  return key + hash;
}

/**
 * The parts that stay when the frame changes, between the site and its admin area: toasts, and the handling of focus.
 */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastSlot />
      <RouteFocus />
      <ScrollRestoration getKey={scrollKeyOf} />
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
