import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.js';
import { NoDatabaseYetError, type ConnectedDatabase } from '../database/direct-connection.js';
import { findUnfitSetting } from '../database/database-settings.js';
import { JOB_QUEUE_SCHEMA } from '../database/job-queue-schema.js';
import { inspectSchema, listKnownMigrations } from '../database/migrate.js';
import { OtherDatabaseError } from '../database/same-database.js';
import { adviseVersion, assertCompatible, describeNewerSchema, NewerSchemaError } from '../database/schema-release.js';
import { describeError, fail, ok, warn, type Statement } from './finding.js';

const MINIMUM_VERSION = 15;
/** Connections of a server beside its pool: the listener, and the job queue's four and its own listener. */
const EXTRA_CONNECTIONS = 6;
const CROWDED_SHARE = 0.8;
const SKEW_WARN_SECONDS = 2;
const SKEW_FAIL_SECONDS = 60;
const LATE_MINUTES = 15;
const VERY_LATE_MINUTES = 24 * 60;

/** Explains a failed connection; the message never carries the password. */
export function explainNoDatabase(error: unknown, config: Config): Statement {
  if (error instanceof NoDatabaseYetError) {
    return warn('there is none yet', 'The first start makes it, or: npm run cli -- db migrate');
  }
  if (error instanceof OtherDatabaseError) return fail(error.message, 'Correct DATABASE_DIRECT_URL.');
  const place = config.database.url === 'embedded' ? 'the embedded PostgreSQL' : placeOf(config.database.url);
  const { code } = error as { code?: string };
  const advice: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Start PostgreSQL, or correct host and port in DATABASE_URL.',
    ENOTFOUND: 'Correct the host in DATABASE_URL.',
    '28P01': 'Correct user and password in DATABASE_URL.',
    '28000': 'Let this user in (pg_hba.conf), or correct DATABASE_URL.',
    '3D000': 'Create the database (createdb), or correct its name in DATABASE_URL.',
    '53300': 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.',
  };
  const log = join(config.dataDir, 'postgres/postgres.log');
  const fallback =
    config.database.url === 'embedded' ? `Read ${log}.` : 'See that PostgreSQL runs and DATABASE_URL is right.';
  return fail(`${place} cannot be reached: ${describeError(error)}`, advice[code ?? ''] ?? fallback);
}

/** Host and port; of one without, as the address of a socket is, only that it is PostgreSQL. */
function placeOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || 'PostgreSQL';
}

/** The version of the server, and the settings of the database. */
export async function checkServer({ client }: ConnectedDatabase): Promise<Statement> {
  const { rows } = await client.query<{ number: string; version: string; mode: string; standby: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
       current_setting('transaction_read_only') as mode, pg_is_in_recovery() as standby`,
  );
  const { number, version, mode, standby } = rows[0] ?? {
    number: '0',
    version: 'unknown',
    mode: 'off',
    standby: false,
  };
  if (Number(number) < MINIMUM_VERSION * 10_000)
    return fail(`PostgreSQL ${version} is too old`, `Use PostgreSQL ${MINIMUM_VERSION} or later.`);
  if (mode === 'on') {
    const advice = standby
      ? 'Let DATABASE_URL lead to the primary, or promote this one.'
      : 'See to default_transaction_read_only: of the server, of the database and of the user of DATABASE_URL.';
    return fail(`PostgreSQL ${version} takes no changes: ${standby ? 'it is a standby' : 'it is read only'}`, advice);
  }
  const unfit = await findUnfitSetting(client);
  if (unfit === null) return ok(`PostgreSQL ${version} answers`);
  return fail(unfit.problem, `Take a backup, and ${unfit.advice}. A new database needs db migrate and backup restore.`);
}

/** Checks that the schema is the one of this version, or one that it can run on. */
export async function checkMigrations({ directUrl }: ConnectedDatabase): Promise<Statement> {
  const { pending, unknown, release } = await inspectSchema(directUrl);
  try {
    assertCompatible(release, unknown);
  } catch (error) {
    if (!(error instanceof NewerSchemaError)) throw error;
    return fail(describeNewerSchema(release, unknown), `To start: ${adviseVersion(release)}.`);
  }
  if (pending.length > 0) return fail(`lacks ${pending.join(', ')}`, 'Run: npm run cli -- db migrate');
  if (unknown.length > 0) {
    const sentence = `${describeNewerSchema(release, unknown)}, which can run on it`;
    return warn(sentence, `To upgrade again: ${adviseVersion(release)}.`);
  }
  return ok(`all ${(await listKnownMigrations()).length} have run`);
}

/** Checks that servers find free connections, and that those for notifications are their own. */
export async function checkConnections({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
  const { rows } = await client.query<{ used: number; most: number; pid: number }>(
    `select pg_backend_pid() as pid,
       (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used,
       (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) as most`,
  );
  const { used, most, pid } = rows[0] ?? { used: 0, most: 0, pid: 0 };
  const { workers } = config.server;
  const { poolSize } = config.database;
  // Each worker has a pool of its own.
  const perServer = workers * (poolSize + EXTRA_CONNECTIONS);
  const settings = `DATABASE_POOL_SIZE (${poolSize})${workers > 1 ? ` or WEB_CONCURRENCY (${workers})` : ''}`;
  const advice = `Raise max_connections of PostgreSQL, or lower ${settings}.`;
  if (perServer > most) return fail(`a server may need ${perServer}, and there are ${most}`, advice);
  const sentence = `${used} of ${most} are in use; a server needs at most ${perServer}`;
  if (used > most * CROWDED_SHARE) return warn(sentence, advice);
  // A pooler greets with a number of its own, as it lends the processes of PostgreSQL to one client after the other.
  const { processID: greeted } = client as pg.Client & { readonly processID: number };
  if (config.database.directUrl !== undefined || greeted === pid) return ok(sentence);
  return warn(
    'DATABASE_URL goes through a pooler; in transaction mode notifications and locks get lost in it',
    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  );
}

/** The clock of the database against that of this machine: tokens, codes and schedules go by both. */
export async function checkClock({ client }: ConnectedDatabase): Promise<Statement> {
  const before = Date.now();
  const { rows } = await client.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as now',
  );
  const skew = (Number(rows[0]?.now) - (before + Date.now()) / 2) / 1000;
  const sentence = `the database is ${Math.abs(skew).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead'}`;
  const advice = 'Let both machines keep their time by NTP (timedatectl set-ntp true).';
  if (Math.abs(skew) >= SKEW_FAIL_SECONDS) return fail(sentence, advice);
  return Math.abs(skew) >= SKEW_WARN_SECONDS ? warn(sentence, advice) : ok('agrees with the database');
}

/** A mail that is tried again for so long is not on its way any more. */
const MAIL_LATE = "interval '30 minutes'";

interface QueueRow {
  readonly count: number;
  readonly minutes: number | null;
  readonly queue: string | null;
  readonly given_up: number;
  /** When the oldest mail that is late was queued: the level may be that of something else, while a mail leaves as it should. */
  readonly mail_since: Date | null;
  readonly deferred: number;
  readonly deferred_minutes: number | null;
  readonly enquiries_since: Date | null;
  readonly others_since: Date | null;
}

/**
 * Enquiries count since which none arrived: nobody else has them. Other mails count that wait although none went out
 * lately, unless all of them are put off by the server of one recipient (decision 137).
 */
const QUEUE_SQL = `
  with jobs as (
    select name, state::text as state, created_on, completed_on, output->>'party' as party,
      greatest(created_on, case when state = 'retry' then created_on else start_after end) as due,
      state in ('created', 'retry', 'active') and (state <> 'created' or start_after <= now()) as is_due
    from ${JOB_QUEUE_SCHEMA}.job
  ), due as (
    select *, party is not null as is_deferred, name = 'mail-enquiries' as is_enquiry,
      starts_with(name, 'mail') and due <= now() - ${MAIL_LATE} as is_late_mail
    from jobs where is_due
  ), delivered as (
    select coalesce(bool_or(completed_on > now() - ${MAIL_LATE}), false) as lately,
      max(created_on) filter (where name = 'mail-enquiries') as last_enquiry
    from jobs where state = 'completed' and starts_with(name, 'mail')
  ), parties as (
    select count(distinct party) as number from due where is_late_mail and not is_enquiry
  )
  select count(*) filter (where not is_deferred)::int as count,
    (extract(epoch from now() - min(due) filter (where not is_deferred)) / 60)::float8 as minutes,
    (array_agg(name order by due) filter (where not is_deferred))[1] as queue,
    (select count(*) from jobs where state = 'failed')::int as given_up,
    min(due) filter (where starts_with(name, 'mail') and due <= now() - interval '${LATE_MINUTES} minutes') as mail_since,
    count(*) filter (where is_deferred)::int as deferred,
    (extract(epoch from now() - min(due) filter (where is_deferred)) / 60)::float8 as deferred_minutes,
    min(due) filter (where is_late_mail and is_enquiry
      and created_on > coalesce((select last_enquiry from delivered), '-infinity')) as enquiries_since,
    min(due) filter (where is_late_mail and not is_enquiry and not (select lately from delivered)
      and (not is_deferred or (select number from parties) > 1)) as others_since
  from due`;

/** How long the oldest job waits that should have been done: a mail, an enquiry, a post to be published. */
export async function checkQueue({ client }: ConnectedDatabase): Promise<Statement> {
  const { rows } = await client.query<QueueRow>(QUEUE_SQL);
  const [row] = rows;
  return row === undefined ? ok('nothing waits') : { ...describeQueue(row), ...toMoments(row) };
}

function describeQueue({ count, minutes, queue, given_up: givenUp, ...row }: QueueRow): Statement {
  const late = minutes ?? 0;
  const advice =
    queue === 'webhooks'
      ? 'npm run cli -- webhooks list says why messages are not taken.'
      : 'See that a server runs, that mail is OK, and what its log says of mails.';
  const sentence = `${count} waiting, the oldest (${queue}) for ${formatMinutes(late)}`;
  if (late >= VERY_LATE_MINUTES) return fail(sentence, advice);
  if (late >= LATE_MINUTES) return warn(sentence, advice);
  if (givenUp > 0) return warn(`${givenUp} given up in the last days`, 'The log of the server says why, by job.');
  const deferredMinutes = row.deferred_minutes ?? 0;
  if (deferredMinutes >= LATE_MINUTES) {
    const mails = `${row.deferred} put off by the servers of their recipients, the oldest for ${formatMinutes(deferredMinutes)}`;
    return warn(mails, 'They are tried again for days. Where it is the address for enquiries, see to its mailbox.');
  }
  return ok(count + row.deferred === 0 ? 'nothing waits' : sentence);
}

function toMoments(row: QueueRow): Pick<Statement, 'since' | 'stuck'> {
  const stuckSince = row.others_since ?? row.enquiries_since;
  const scope = row.others_since === null ? 'enquiries' : 'all';
  return {
    ...(row.mail_since === null ? {} : { since: row.mail_since.toISOString() }),
    ...(stuckSince === null ? {} : { stuck: { since: stuckSince.toISOString(), scope } }),
  };
}

function formatMinutes(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} minutes`;
  return minutes < 2 * 24 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}
