import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase } from './database.js';
import type { Variables } from './environment.js';
import { createInstallation, withClient, type Installation } from './installation.js';

const RELEASES = fileURLToPath(new URL('../fixtures/releases', import.meta.url));

/** The facts about a recorded release (`record-release.mjs`). */
export interface ReleaseFacts {
  readonly version: string;
  /** The secrets it ran with, so that its sessions and mailed codes still hold. */
  readonly environment: Variables;
  /** Email addresses of accounts with this password. */
  readonly administrator: string;
  readonly person: string;
  readonly password: string;
  /** A refresh token of the person. */
  readonly refreshToken: string;
  /** Path of an uploaded image, which the post 'renamed' shows. */
  readonly image: string;
}

/** An installation as a release left it: its schema, nothing migrated, with data of every kind. */
export interface ReleasedInstallation extends Installation {
  readonly facts: ReleaseFacts;
}

/** The recorded releases, the last one first. */
export function listReleases(): string[] {
  const folders = readdirSync(RELEASES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

/** Moves rows that are kept for some days only to recent days, whenever the release was recorded. */
const MADE_RECENT = [
  `update public.blog_posts set deleted_at = now() - interval '1 day' where deleted_at is not null`,
  `update public.enquiries set created_at = now() - interval '1 day', sent_at = sent_at - created_at + now() - interval '1 day'`,
  `update auth.one_time_tokens set expires_at = now() + interval '1 hour'`,
];

/** Creates a database as a release left it, without its images. @returns its address */
export async function createReleasedDatabase(version = listReleases()[0] ?? ''): Promise<string> {
  const url = await createEmptyDatabase();
  const statements = readFileSync(join(RELEASES, version, 'database.sql'), 'utf8');
  await withClient(url, (client) => client.query([statements, ...MADE_RECENT].join(';\n')));
  return url;
}

/**
 * Creates an installation as the last release left it: posts (imported ones, one with a former address and a waiting
 * working copy, a draft, one planned for 2099, one in the trash), images, accounts and sessions, a delivered enquiry
 * and one whose mail is still to be delivered, redirects, the audit log.
 */
export async function installLastRelease(overrides: Variables = {}): Promise<ReleasedInstallation> {
  const [version = ''] = listReleases();
  const facts = JSON.parse(readFileSync(join(RELEASES, version, 'release.json'), 'utf8')) as ReleaseFacts;
  const DATABASE_URL = await createReleasedDatabase(version);
  const installation = await createInstallation({ ...facts.environment, ...overrides, DATABASE_URL });
  cpSync(join(RELEASES, version, 'media'), join(installation.config.dataDir, 'media'), { recursive: true });
  return { ...installation, facts };
}
