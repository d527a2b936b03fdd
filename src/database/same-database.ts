import { randomInt } from 'node:crypto';
import pg from 'pg';
import { DATABASE_CONNECT_MS, DATABASE_REQUEST_MS } from '../config/time-limits.js';

/** Thrown when two addresses that should lead to one database lead to two. */
export class OtherDatabaseError extends Error {
  override readonly name = 'OtherDatabaseError';
}

/**
 * Finds out whether two addresses lead to one database: a lock that is taken on the one way is seen on the other. Names
 * would not tell, as a pooler has its own.
 * @throws OtherDatabaseError
 */
export async function assertSameDatabase(url: string, directUrl: string): Promise<void> {
  const key = randomInt(2 ** 31);
  const isSame = await withClient(directUrl, async (direct) => {
    await direct.query('begin');
    await direct.query('select pg_advisory_xact_lock($1, $1)', [key]);
    return await withClient(url, async (pooled) => {
      const { rows } = await pooled.query<{ seen: boolean }>(
        `select exists (select from pg_locks where locktype = 'advisory' and classid = $1 and objid = $1
           and database = (select oid from pg_database where datname = current_database())) as seen`,
        [key],
      );
      return rows[0]?.seen === true;
    });
  });
  if (!isSame) throw new OtherDatabaseError('DATABASE_DIRECT_URL leads to another database than DATABASE_URL.');
}

async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const limits = { connectionTimeoutMillis: DATABASE_CONNECT_MS, query_timeout: DATABASE_REQUEST_MS };
  const client = new pg.Client({ connectionString: url, ...limits });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await task(client);
  } finally {
    await client.end();
  }
}
