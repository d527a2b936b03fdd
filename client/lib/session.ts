import type { GoTrueClient, Session } from '@supabase/auth-js';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { announceSessionChange } from './session-hint.js';
import { logError } from './log-error.js';
import { LostPartError } from './lost-part.js';
import { inTime } from './patience.js';
import { useSite } from './site-context.js';

/**
 * The signed-in user; 'unknown' until the accounts' client has looked, 'needs-code' while the second factor of the account
 * was not shown in this session, which opens nothing until then. 'lost' when that client cannot be had on this page.
 */
export type SessionState =
  | { readonly status: 'unknown' | 'lost' | 'signed-out' }
  | { readonly status: 'signed-in' | 'needs-code'; readonly userId: string; readonly email: string };

const UNKNOWN: SessionState = { status: 'unknown' };

let state: SessionState = UNKNOWN;
let client: Promise<GoTrueClient> | undefined;
const listeners = new Set<() => void>();

/** Returns true for a session without the second factor that its account has. */
export function needsCode({ user, access_token: token }: Session): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false;
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly aal?: string };
  return claims.aal !== 'aal2';
}

function toState(session: Session | null): SessionState {
  if (!session) return { status: 'signed-out' };
  const { id: userId, email = '' } = session.user;
  return { status: needsCode(session) ? 'needs-code' : 'signed-in', userId, email };
}

function isSame(one: SessionState, other: SessionState): boolean {
  if (one.status !== other.status) return false;
  return !('userId' in one && 'userId' in other) || (one.userId === other.userId && one.email === other.email);
}

function show(next: SessionState): void {
  // A refreshed token changes nothing that is shown.
  if (next.status !== 'signed-out' && isSame(state, next)) return;
  state = next;
  announceSessionChange();
  for (const listener of listeners) listener();
}

async function load(url: string): Promise<GoTrueClient> {
  const lose = (cause?: unknown): never => {
    show({ status: 'lost' });
    throw new LostPartError({ cause });
  };
  const { openAuthClient } = await inTime(import('./auth-client.js').catch(lose), lose);
  const loaded = openAuthClient(url);
  // The client waits for this callback, so it must not wait for the client.
  loaded.onAuthStateChange((_event, session) => show(toState(session)));
  // A page that the browser had put aside heard of nothing: somebody may have signed out on the one that came after it.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    loaded.getSession().then(
      ({ data, error }) => {
        // Without an answer to its renewal there is a session still: one that has ended is told of above.
        if (error === null) show(toState(data.session));
      },
      (error: unknown) => logError('The session could not be read:', error),
    );
  });
  return loaded;
}

/**
 * The accounts' client, one per page, loaded with its first use.
 * @param url base of the accounts' API (`site.accounts.url`)
 */
export function getAuthClient(url: string): Promise<GoTrueClient> {
  client ??= load(url).catch((error: unknown) => {
    // The next use tries again.
    client = undefined;
    throw error;
  });
  return client;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the signed-in user. Loads the accounts' client, so only screens that need the user call it. */
export function useSession(): SessionState {
  const { accounts } = useSite();
  useEffect(() => {
    getAuthClient(accounts.url).catch((error: unknown) => logError('The accounts could not be reached:', error));
  }, [accounts.url]);
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => UNKNOWN,
  );
}

/** Hands out the accounts' client of this site, loading it with the first call. */
export function useAuthClient(): () => Promise<GoTrueClient> {
  const { accounts } = useSite();
  return useCallback(() => getAuthClient(accounts.url), [accounts.url]);
}
