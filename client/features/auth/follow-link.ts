import { toApiError } from '../../lib/api-errors.js';
import type { MailLink } from './mail-link.js';

/** Longer than the server works on a call (auth-api.md 1.1). */
const LIMIT_MS = 15_000;

/**
 * Spends the link of another application. The accounts' client of this page learns nothing of it: the session belongs
 * to the application.
 * @param base address of the accounts' API (`site.accounts.url`)
 * @returns the address where the visitor goes on, whether the link was good or not
 * @throws ApiError or UnreachableError when the link was not spent
 */
export async function followLink(base: string, { tokenHash, type, application }: MailLink): Promise<string> {
  const response = await fetch(`${base.replace(/\/$/, '')}/verify/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ token_hash: tokenHash, type, redirect_to: application }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response.status, body);
  return (body as { readonly url: string }).url;
}
