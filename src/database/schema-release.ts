import pg from 'pg';
import { z } from 'zod';
import { compareVersions, PRODUCT_VERSION } from '../config/version.js';

/** The oldest version that can run on the schema of this one; a test proves it of the last release. */
export const OLDEST_COMPATIBLE = '0.1.0';

const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** The note, as it stands with a schema and in backups. */
export const schemaRelease = z.object({
  /** The latest version that has brought this schema up to date. */
  version: z.string(),
  /** The oldest version that can run on it. */
  oldest: z.string(),
});

/** The release to which a schema belongs. Version 0.1.0 left no such note. */
export type SchemaRelease = z.infer<typeof schemaRelease>;

/** Thrown when a database has migrations of a later version, on whose schema this one cannot run. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/**
 * Reads the note, which is the comment on the table of migrations: it belongs to the schema, not to the rows, so that it
 * stays when a backup is restored, and goes along when the database is copied.
 */
export async function readSchemaRelease(client: pg.ClientBase): Promise<SchemaRelease | null> {
  const { rows } = await client.query<{ note: string | null }>(
    `select obj_description(to_regclass('${MIGRATIONS_TABLE}'), 'pg_class') as note`,
  );
  try {
    return schemaRelease.parse(JSON.parse(rows[0]?.note ?? ''));
  } catch {
    // Somebody else's comment says nothing.
    return null;
  }
}

/** Notes that this version brings the schema up to date, unless a later one has. Needs the table of migrations. */
export async function noteSchemaRelease(client: pg.ClientBase): Promise<void> {
  const found = await readSchemaRelease(client);
  const note: SchemaRelease = {
    version: later(found?.version, PRODUCT_VERSION),
    oldest: later(found?.oldest, OLDEST_COMPATIBLE),
  };
  if (note.version === found?.version && note.oldest === found.oldest) return;
  await client.query(`comment on table ${MIGRATIONS_TABLE} is ${pg.escapeLiteral(JSON.stringify(note))}`);
}

function later(found: string | undefined, own: string): string {
  return found !== undefined && compareVersions(found, own) > 0 ? found : own;
}

/**
 * Refuses a schema that this version cannot run on. One with migrations that it does not know is fine as long as the
 * version that brought them says so.
 * @param unknown names of migrations that have run and are not of this version
 * @throws NewerSchemaError naming the version that knows it
 */
export function assertCompatible(release: SchemaRelease | null, unknown: readonly string[]): void {
  const isTooOld = release !== null && compareVersions(PRODUCT_VERSION, release.oldest) < 0;
  if (!isTooOld && (unknown.length === 0 || release !== null)) return;
  const others = release === null ? '' : `, or ${release.oldest} at least`;
  throw new NewerSchemaError(`${describeNewerSchema(release, unknown)}: ${adviseVersion(release)}${others}.`);
}

/** Names the release of a schema that is newer than this version; without a period. */
export function describeNewerSchema(release: SchemaRelease | null, unknown: readonly string[]): string {
  const more = unknown.length > 0 ? `, which has ${unknown.join(', ')}` : '';
  const of = isLater(release) ? `version ${release.version}` : 'a later version';
  return `The schema is of ${of}${more}, and this is version ${PRODUCT_VERSION}`;
}

/** Says which version knows all of a schema; without a period. */
export function adviseVersion(release: SchemaRelease | null): string {
  return isLater(release) ? `use version ${release.version}` : 'use the version that ran before this one';
}

/** Returns false also for a later build of the same number, between two releases, which would help nobody. */
function isLater(release: SchemaRelease | null): release is SchemaRelease {
  return release !== null && compareVersions(release.version, PRODUCT_VERSION) > 0;
}
