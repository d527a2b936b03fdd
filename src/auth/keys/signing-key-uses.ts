import type { ClientBase } from 'pg';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { CONTENT_LISTENER } from '../../database/content-listener.js';

/**
 * First keys of the advisory locks that servers hold on the connection by which they hear of changes: for each key that
 * they know, and for the one with which they sign. The second key is the hash of its name. Who is gone holds none.
 */
const { knownSigningKey: KNOWS, usedSigningKey: SIGNS } = ADVISORY_LOCKS;

/** The keys of one server. Names are those of `kid`; the empty one is a key without. */
export interface AnnouncedKeys {
  readonly known: readonly string[];
  readonly signing: string;
  /** When the last token can expire that this server signs until it announces again. */
  readonly until: Date;
}

/** A server that runs, as the database sees it. */
export interface SeenServer {
  /** Null over a socket of the same machine. */
  readonly address: string | null;
  readonly since: Date;
}

/** The times until which tokens of a key may be good; null for none. */
export interface TokensUntil {
  readonly sessions: Date | null;
  readonly programs: Date | null;
}

const SERVERS = `from pg_stat_activity a where a.datname = current_database() and a.application_name = '${CONTENT_LISTENER}'`;
const lockOf = (kind: number, kid: string) =>
  `select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.classid = ${kind} and l.objsubid = 2
     and l.objid = (hashtext(${kid})::bigint & 4294967295)::oid`;

/** Tells everybody which keys the server of this connection has, for as long as the connection lives. */
export async function announceKeys(client: ClientBase, { known, signing, until }: AnnouncedKeys): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${KNOWS}, hashtext(kid)) from unnest($1::text[]) kid`, [known]);
  await client.query(`select pg_advisory_lock_shared(${SIGNS}, hashtext($1))`, [signing]);
  // A key that is seen for the first time may have signed a moment ago, by a server that announced nothing.
  await client.query(
    `insert into auth.signing_key_uses (kid, sessions_until) select kid, $2 from unnest($1::text[]) kid
     on conflict do nothing`,
    [known, until],
  );
  await renewUse(client, signing, until);
}

/** Notes until when tokens may be good that a server signs with this key. */
export async function renewUse(client: ClientBase, kid: string, until: Date): Promise<void> {
  await client.query(
    `insert into auth.signing_key_uses (kid, sessions_until) values ($1, $2)
     on conflict (kid) do update set sessions_until = greatest(signing_key_uses.sessions_until, excluded.sessions_until)`,
    [kid, until],
  );
}

/** Notes until when a program has a token that this key signed. */
export async function noteProgramToken(client: ClientBase, kid: string, until: Date): Promise<void> {
  await client.query(
    `insert into auth.signing_key_uses (kid, programs_until) values ($1, $2)
     on conflict (kid) do update set programs_until = greatest(signing_key_uses.programs_until, excluded.programs_until)`,
    [kid, until],
  );
}

/** Returns the running servers that would refuse tokens of this key, those of earlier versions among them. */
export async function findServersWithout(client: ClientBase, kid: string): Promise<SeenServer[]> {
  return await findServers(client, `not exists (${lockOf(KNOWS, '$1')})`, kid);
}

/** Returns the running servers that sign with this key. */
export async function findServersSigningWith(client: ClientBase, kid: string): Promise<SeenServer[]> {
  return await findServers(client, `exists (${lockOf(SIGNS, '$1')})`, kid);
}

/** Returns true if a server signs with a key that another one, which announced its keys, would refuse. */
export async function isSomeTokenRefused(client: ClientBase): Promise<boolean> {
  const holders = (kind: number) =>
    `select l.pid, l.objid from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where a.datname = current_database() and l.locktype = 'advisory' and l.classid = ${kind} and l.objsubid = 2`;
  const { rows } = await client.query<{ refused: boolean }>(
    `with knows as (${holders(KNOWS)}), signs as (${holders(SIGNS)})
     select exists (
       select from signs, (select distinct pid from knows) servers
       where not exists (select from knows where knows.pid = servers.pid and knows.objid = signs.objid)
     ) as refused`,
  );
  return rows[0]?.refused === true;
}

/** Returns until when tokens of this key may be good. */
export async function readTokensUntil(client: ClientBase, kid: string): Promise<TokensUntil> {
  const { rows } = await client.query<TokensUntil>(
    'select sessions_until as sessions, programs_until as programs from auth.signing_key_uses where kid = $1',
    [kid],
  );
  return rows[0] ?? { sessions: null, programs: null };
}

async function findServers(client: ClientBase, condition: string, kid: string): Promise<SeenServer[]> {
  const { rows } = await client.query<SeenServer>(
    `select host(a.client_addr) as address, a.backend_start as since ${SERVERS} and ${condition} order by since`,
    [kid],
  );
  return rows;
}
