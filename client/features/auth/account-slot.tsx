import { lazyPart } from '../../lib/lazy-part.js';
import { useSessionHint } from '../../lib/session-hint.js';
import type { AccountMenuProps } from './account-menu.js';

const AccountMenu = lazyPart(async () => (await import('./account-menu.js')).AccountMenu);

/**
 * The place of parts for users with an account. Everyone gets the same page; this fills after hydration, and only where
 * a session may exist, so that other visitors load nothing of it.
 */
export function AccountSlot(props: AccountMenuProps) {
  return useSessionHint() ? <AccountMenu {...props} /> : null;
}
