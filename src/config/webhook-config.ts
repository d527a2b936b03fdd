import type { Environment } from './environment.js';

/** The address that is told what happens, such as that of a chat or a ticket system. */
export interface WebhookConfig {
  readonly url: string;
  /** The key of the signatures. */
  readonly key: Buffer;
}

/** Secrets of Standard Webhooks say so, and are in base64. */
const PREFIX = 'whsec_';
/** Shorter ones could be guessed from one signed delivery. */
const LEAST_BYTES = 24;

/** Says what is wrong with a secret; null when nothing is. */
export function findWebhookSecretProblem(secret: string): string | null {
  if (toKey(secret).length >= LEAST_BYTES) return null;
  return `must be ${LEAST_BYTES} characters or more, or whsec_ and as many bytes in base64 (openssl rand -base64 32)`;
}

/** Says what is wrong with an address; null when nothing is. Inner addresses are the operator's own choice. */
export function findWebhookUrlProblem(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must hold no user name and no password';
  return url.hash === '' ? null : 'must hold no fragment (#)';
}

/** Returns null where nobody is told. */
export function toWebhookConfig({
  NOTIFY_WEBHOOK_URL: url,
  NOTIFY_WEBHOOK_SECRET: secret,
}: Environment): WebhookConfig | null {
  return url === undefined || secret === undefined ? null : { url, key: toKey(secret) };
}

function toKey(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
