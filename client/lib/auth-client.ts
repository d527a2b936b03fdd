import { GoTrueClient, type SupportedStorage } from '@supabase/auth-js';
import { PATIENCE_MS } from './patience.js';

/**
 * Opens the accounts' client. Loaded on demand: most visitors have no account.
 * @param url base of the accounts' API (`site.accounts.url`)
 */
export function openAuthClient(url: string): GoTrueClient {
  return new GoTrueClient({
    url: new URL(url, location.origin).href.replace(/\/$/, ''),
    experimental: { recoveryCodes: true },
    fetch: fetchInTime,
    storage: createStorage(),
  });
}

/** Gives up what is not answered, but for refreshed tokens: the old one is spent, and showing it again signs people out. */
const fetchInTime: typeof fetch = async (address, options) => {
  const isRefresh = typeof address === 'string' && address.includes('grant_type=refresh_token');
  const response = await fetch(address, isRefresh ? options : { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
  response.json = async () => JSON.parse(await response.text(), withoutServerTime) as unknown;
  return response;
};

/**
 * The library compares the end of a token with the clock of the device: where that is ahead, every call would renew the token.
 * Without `expires_at` it counts `expires_in` by that clock.
 */
function withoutServerTime(name: string, value: unknown): unknown {
  return name === 'expires_at' ? undefined : value;
}

interface Kept {
  readonly value: string;
  /** The value that stands in the browser's storage instead. */
  readonly stored: string | null;
}

/**
 * The browser's storage, and for this page alone what that does not take, because it is full or forbidden. By itself the
 * library reads nothing of a storage to which it cannot write: sessions that are in it would count as ended.
 */
function createStorage(): SupportedStorage {
  const kept = new Map<string, Kept>();
  return {
    getItem(key) {
      const stored = readStored(key);
      const own = kept.get(key);
      // Another tab has signed in or out since.
      return own?.stored === stored ? own.value : stored;
    },
    setItem(key, value) {
      kept.delete(key);
      try {
        localStorage.setItem(key, value);
      } catch {
        kept.set(key, { value, stored: readStored(key) });
      }
    },
    removeItem(key) {
      kept.delete(key);
      try {
        localStorage.removeItem(key);
      } catch {
        // Where it is forbidden, nothing is in it.
      }
    },
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
