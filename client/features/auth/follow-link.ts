import { accountMessages } from '../../content/accounts.js';
import { PATIENCE_MS } from '../../lib/patience.js';
import type { MailLink } from './mail-link.js';

/** The address where the visitor goes on, whether the link was good or not; or why it was not spent, in words. */
export type Followed = { readonly url: string } | { readonly failure: string };

/**
 * Spends the link of another application. The accounts' client of this page learns nothing of it: the session belongs
 * to the application.
 * @param base address of the accounts' API (`site.accounts.url`)
 * @throws Error when the server could not be reached
 */
export async function followLink(base: string, { tokenHash, type, application }: MailLink): Promise<Followed> {
  const response = await fetch(`${base.replace(/\/$/, '')}/verify/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ token_hash: tokenHash, type, redirect_to: application }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  // What is no JSON came from something between here and the server.
  const body = (await response.json().catch(() => null)) as { readonly url?: string; readonly message?: string } | null;
  if (response.ok && body?.url) return { url: body.url };
  return { failure: body?.message ?? accountMessages.unreachable };
}
