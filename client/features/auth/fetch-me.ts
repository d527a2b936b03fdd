import type { GoTrueClient } from '@supabase/auth-js';
import type { Me } from '../../../src/shared/contracts/me.js';
import { paths } from '../../../src/shared/paths.js';
import { START_PATH } from '../../../src/shared/start-path.js';
import { PATIENCE_MS } from '../../lib/patience.js';

async function fetchMe(auth: GoTrueClient): Promise<Me | null> {
  const { data } = await auth.getSession();
  if (!data.session) return null;
  const response = await fetch(paths.api.me, {
    headers: { accept: 'application/json', authorization: `Bearer ${data.session.access_token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.ok) return (await response.json()) as Me;
  // A body that nobody reads would keep its connection.
  await response.body?.cancel();
  // The session was ended elsewhere: asking for the user makes the client forget it.
  if (response.status === 401) await auth.getUser();
  return null;
}

/** During an upgrade, a server of release 0.1.0 may answer, which knows administrators alone. */
function hasRole(me: Me | null): boolean {
  return Boolean(me?.role ?? me?.is_admin);
}

let kept: { readonly userId: string; readonly me: Promise<Me | null> } | undefined;

/**
 * Returns true when the signed-in user may see the admin area; told once per page and user, and asked for until then: a
 * server that was away for a moment, or a session that had ended, says nothing about the role.
 */
export async function fetchIsAdmin(auth: GoTrueClient, userId: string): Promise<boolean> {
  const asked = kept?.userId === userId ? kept : { userId, me: fetchMe(auth) };
  kept = asked;
  const me = await asked.me.catch((error: unknown) => {
    forget(asked);
    throw error;
  });
  if (me === null) forget(asked);
  return hasRole(me);
}

function forget(asked: typeof kept): void {
  if (kept === asked) kept = undefined;
}

/** Returns where somebody works who was invited: the admin area; null for those without a role, or if nobody can tell. */
export async function findWorkplace(auth: GoTrueClient): Promise<URL | null> {
  const { data } = await auth.getSession();
  if (!data.session) return null;
  const isAdmin = await fetchIsAdmin(auth, data.session.user.id).catch(() => false);
  return isAdmin ? new URL(START_PATH, location.origin) : null;
}

/** Asks anew the next time: the role was found to have changed. */
export function forgetIsAdmin(): void {
  kept = undefined;
}
