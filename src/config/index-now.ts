import { isIP } from 'node:net';
import type { Environment } from './environment.js';

/** How search engines are told of new and changed addresses (IndexNow). */
export interface IndexNowConfig {
  /** Proves that the site is ours: `/{key}.txt` says it. It is no secret. */
  readonly key: string;
  /** The address that takes the pings. */
  readonly endpoint: string;
}

/** Names that nobody else can resolve (RFC 2606, 6762, 8375), and those that routers give. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|test|invalid|local|internal|home\.arpa|lan)$/i;

/** Returns null where nobody is told: without a key, outside of production, and on a site that others cannot reach. */
export function toIndexNow(env: Environment, publicUrl: string): IndexNowConfig | null {
  const isOn = env.INDEXNOW_KEY !== undefined && findIndexNowProblems(env, publicUrl).length === 0;
  return isOn ? { key: env.INDEXNOW_KEY ?? '', endpoint: env.INDEXNOW_ENDPOINT } : null;
}

/** Says why a key does nothing, in one line, or in none. */
export function findIndexNowProblems(env: Environment, publicUrl: string): string[] {
  if (env.INDEXNOW_KEY === undefined) return [];
  if (env.NODE_ENV !== 'production') return ['INDEXNOW_KEY: does nothing outside of production'];
  const { hostname } = new URL(publicUrl);
  const isPublic = hostname.includes('.') && isIP(hostname) === 0 && !PRIVATE_NAME.test(hostname);
  return isPublic ? [] : [`INDEXNOW_KEY: does nothing, as search engines cannot reach ${hostname} (PUBLIC_URL)`];
}
