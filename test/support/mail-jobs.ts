import { EntityManager } from '@mikro-orm/postgresql';
import { MailService, type AuthMailJob, type MintedToken } from '../../src/mail/mail.service.js';
import type { TestApp } from './create-test-app.js';

/** A job for a mail of an account, complete; a test says only what it is about. */
export function buildMailJob(overrides: Partial<AuthMailJob> = {}): AuthMailJob {
  return {
    kind: 'auth',
    action: 'signup',
    userId: '7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e55',
    to: 'current',
    redirectTo: 'http://site.test/',
    isPkce: false,
    ...overrides,
  };
}

/** Builds a complete token for a mail. */
export function buildToken(overrides: Partial<MintedToken> = {}): MintedToken {
  return {
    to: 'ada@example.com',
    otp: '123456',
    tokenHash: 'a'.repeat(56),
    verificationType: 'signup',
    redirectTo: 'http://site.test/',
    validForSeconds: 86_400,
    ...overrides,
  };
}

/** Stands in for accounts: the user id is the address; whoever is `gone` wants no mail. Every call is remembered. */
export function mintFromUserId(app: TestApp): { readonly jobIds: string[] } {
  const jobIds: string[] = [];
  app.get(MailService).registerTokenMinter({
    mint: async ({ userId, redirectTo }, jobId) => {
      jobIds.push(jobId);
      return userId === 'gone' ? null : buildToken({ to: userId, redirectTo });
    },
    findAddress: (userId) => Promise.resolve(userId),
  });
  return { jobIds };
}

/** Queues a mail to an address as a service would, in a transaction of its own. */
export async function queueMail(app: TestApp, address: string): Promise<void> {
  await app
    .get(EntityManager)
    .fork()
    .transactional((em) => app.get(MailService).enqueue(em, buildMailJob({ userId: address })));
}
