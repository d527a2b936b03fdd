import pg from 'pg';
import { CLOCK_TOLERANCE_MS } from '../shared/clock.js';

const LIMIT_MS = 5000;

/**
 * Lets the site remember when its last backup was made, for `doctor` and the start page. A backup that was made counts
 * whether or not this works: the schema may be of a release that has no such table, and the database may have gone away.
 */
export async function noteBackup(databaseUrl: string, at: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'backup',
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `insert into site_marks (name, at) values ('backup.made', $1)
       on conflict (name) do update set at = excluded.at where site_marks.at < excluded.at or site_marks.at > $2`,
      // A moment that a clock noted which was wrong would stay the last one until then.
      [at, new Date(Date.parse(at) + CLOCK_TOLERANCE_MS)],
    );
  } catch {
    // The next backup tells.
  } finally {
    await client.end().catch(() => undefined);
  }
}
