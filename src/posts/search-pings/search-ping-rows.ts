import type { EntityManager } from '@mikro-orm/postgresql';
import { paths } from '../../shared/paths.js';

/** A row of `search_pings`; the time as the database writes it, as dates of JavaScript have no microseconds. */
export interface PingRow {
  readonly path: string;
  readonly at: string;
}

/**
 * Notes that posts appeared, changed or went, in the transaction that writes them.
 * @param slugs those that readers had or have; null and undefined for none
 */
export async function noteSearchPings(em: EntityManager, slugs: readonly (string | null | undefined)[]): Promise<void> {
  const noted = [...new Set(slugs)].flatMap((slug) => (slug == null ? [] : paths.blog(slug)));
  if (noted.length === 0) return;
  // In one order, so that no two writers wait for each other.
  await em.execute(
    `insert into search_pings (path, at)
     select path, clock_timestamp() from jsonb_array_elements_text(?::jsonb) path order by path
     on conflict (path) do update set at = excluded.at`,
    [JSON.stringify(noted)],
  );
}

/** Reads the oldest rows after one. */
export async function readSearchPings(em: EntityManager, after: PingRow | null, limit: number): Promise<PingRow[]> {
  return await em.execute<PingRow[]>(
    `select path, at::text as at from search_pings
     where (search_pings.at, path) > (?::timestamptz, ?) order by search_pings.at, path limit ${limit}`,
    [after?.at ?? '-infinity', after?.path ?? ''],
  );
}

/** Removes rows as they were read. One that changed since stays, and one that is being written is left alone. */
export async function removeSearchPings(em: EntityManager, rows: readonly PingRow[]): Promise<void> {
  await em.execute(
    `with told as (
       select ping.path from jsonb_to_recordset(?::jsonb) as line (path text, at timestamptz)
       join search_pings ping on ping.path = line.path and ping.at = line.at for update of ping skip locked)
     delete from search_pings where path in (select path from told)`,
    [JSON.stringify(rows)],
  );
}

/** Returns true when something was noted since a time; null for any time. */
export async function areSearchPingsNoted(em: EntityManager, since: Date | null): Promise<boolean> {
  const [row] = await em.execute<{ noted: boolean }[]>(
    'select exists (select from search_pings where at > ?::timestamptz) as noted',
    [since ?? '-infinity'],
  );
  return row?.noted ?? false;
}
