import { EntityManager } from '@mikro-orm/postgresql';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import type { RedirectInput } from '../../src/shared/contracts/redirects.js';
import type { TestApp } from './create-test-app.js';

/** Records redirects as an import does, in a transaction of its own. */
export async function keepRedirects(app: TestApp, items: readonly RedirectInput[]) {
  const em = app.get(EntityManager).fork();
  return await em.transactional((inner) => app.get(RedirectsService).keep(inner, items));
}

/** Names the outcome of each redirect, with the reason where there is one. */
export function outcomes(results: readonly { readonly outcome: string; readonly reason: string | null }[]): string[] {
  return results.map(({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`));
}

/** Asks for an address: the status, with the place that it leads to, if any. */
export async function askWhere(app: TestApp, url: string): Promise<number | string> {
  const { statusCode, headers } = await app.inject({ url });
  return headers.location === undefined ? statusCode : `${statusCode} ${headers.location}`;
}
