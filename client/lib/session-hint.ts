import { useSyncExternalStore } from 'react';

/** The key under which the accounts' client stores the session (its default). */
const STORAGE_KEY = 'supabase.auth.token';

/** Parameters that the accounts API puts behind the `#` of an address to which one of its links leads. */
const ANSWER_IN_ADDRESS = /[#&](?:access_token|error_description|message)=/;

const listeners = new Set<() => void>();

/** Returns true when somebody may be signed in here, in a browser. */
export function hasHint(): boolean {
  if (ANSWER_IN_ADDRESS.test(location.hash)) return true;
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    // Storage may be forbidden: nobody stays signed in then.
    return false;
  }
}

/** Another tab signed in or out, or the browser had put the page aside meanwhile. */
const NEWS = ['storage', 'pageshow'] as const;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  for (const event of NEWS) window.addEventListener(event, listener);
  return () => {
    listeners.delete(listener);
    for (const event of NEWS) window.removeEventListener(event, listener);
  };
}

/** Announces a sign-in or sign-out in this tab, about which browsers send no event. */
export function announceSessionChange(): void {
  for (const listener of listeners) listener();
}

/**
 * Returns true when somebody may be signed in here, which is reason enough to load the accounts' client. False on the
 * server and while hydrating, because pages are the same for everyone.
 */
export function useSessionHint(): boolean {
  return useSyncExternalStore(subscribe, hasHint, () => false);
}
