import { GoTrueClient } from '@supabase/auth-js';
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
  });
}

/** Gives up what is not answered, but for refreshed tokens: the old one is spent, and showing it again signs people out. */
const fetchInTime: typeof fetch = (address, options) => {
  const isRefresh = typeof address === 'string' && address.includes('grant_type=refresh_token');
  return fetch(address, isRefresh ? options : { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
};
