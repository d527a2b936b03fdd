import { resolve } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { DIRECT_URL } from '../database/open-database.js';
import { DatabaseClient, stayWhileIdle } from '../database/pool/database-client.js';
import { propertiesOf } from '../posts/post-columns.js';
import type { PostRow } from '../posts/post.entity.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { ImportOptions, ImportOutcome } from '../shared/contracts/import-report.js';
import { fieldNames } from '../shared/contracts/post-fields.js';
import type { KeptRedirect } from '../shared/contracts/redirects.js';
import { ImportRunRecord } from './import-run-record.entity.js';
import { ImportSourceError } from './import.errors.js';

/** The options that a run is recorded with. One that is added to them has to be decided about here. */
const RECORDED: Readonly<Record<keyof ImportOptions, boolean>> = {
  format: true,
  assetsFolder: true,
  source: true,
  isPublishing: true,
  isPublishingDrafts: true,
  isAcceptingChanges: true,
  permalink: true,
  isDryRun: false,
  isOverwriting: true,
  isLeavingOutMissingImages: true,
  isFetching: true,
  // Names of machines inside, which say nothing about the posts.
  privateHosts: false,
  language: true,
  since: true,
  only: true,
  slugPrefix: true,
  slugSuffix: true,
  authors: true,
  tags: true,
  categoryFrom: true,
  shortcodesFile: true,
  pages: true,
  isTakingComments: true,
};

/** The columns that an import can change and its undoing gives back. */
const FORMER_COLUMNS = [
  ...propertiesOf(fieldNames()),
  ...(['publishedDate', 'isDateChosen', 'isPublished', 'firstPublishedAt', 'liveSince', 'scheduledAt'] as const),
  ...(['updatedAt', 'sourceKey', 'sourceFingerprint'] as const),
] as const;

type FormerColumn = (typeof FORMER_COLUMNS)[number];

const TIMES: ReadonlySet<string> = new Set<FormerColumn>([
  ...(['publishedDate', 'firstPublishedAt', 'liveSince', 'scheduledAt', 'updatedAt'] as const),
]);

/** A post as it was before an import wrote it. */
export interface FormerPost {
  readonly version: number;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** The work of a run on a post. */
export interface RecordedPost {
  readonly row: PostRow;
  /** Null for one that was created. */
  readonly before: FormerPost | null;
  readonly redirects: readonly KeptRedirect[];
}

/** How far a run is: 'broken-off' when its process was killed, or it ended with an error. */
export type RunState = 'running' | 'ended' | 'broken-off';

/** A run, as operators see it. */
export interface ImportRunSummary {
  readonly id: number;
  readonly state: RunState;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly path: string;
  readonly sourceName: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** The totals of its report; null unless it has ended. */
  readonly counts: Readonly<Record<ImportOutcome, number>> | null;
  /** Posts that it created and changed, and how many of both were taken back. Those that were deleted for good are left out. */
  readonly created: number;
  readonly updated: number;
  readonly undone: number;
}

/** A run that goes on. */
export interface BegunRun {
  readonly id: number;
  /** Ends it: with its counts, or with null when it was broken off. */
  end(counts: Readonly<Record<ImportOutcome, number>> | null): Promise<void>;
}

/** Keeps account of imports: which there were, and what each did to which post. */
@Injectable()
export class ImportRunsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    @Inject(DIRECT_URL) private readonly directUrl: string,
  ) {}

  /**
   * Begins a run. Until it ends, no import can be undone.
   * @throws ImportSourceError while one is being undone
   */
  async begin(path: string, sourceName: string | null, options: ImportOptions): Promise<BegunRun> {
    const lock = await this.openLock();
    try {
      if (!(await holds(lock, 'select pg_try_advisory_lock_shared($1)', [ADVISORY_LOCKS.imports]))) {
        throw new ImportSourceError('an import is being undone at this moment; start again when that has ended');
      }
      const id = await this.insert(path, sourceName, options);
      await lock.query('select pg_advisory_lock($1, $2)', [ADVISORY_LOCKS.imports, id]);
      const end = async (counts: Readonly<Record<ImportOutcome, number>> | null) => {
        try {
          await this.end(id, counts);
        } finally {
          await closeQuietly(lock);
        }
      };
      return { id, end };
    } catch (error) {
      await closeQuietly(lock);
      throw error;
    }
  }

  /**
   * Does a task while no import runs, and none can begin.
   * @throws Error while one runs
   */
  async withoutImports<T>(task: () => Promise<T>): Promise<T> {
    const lock = await this.openLock();
    try {
      if (!(await holds(lock, 'select pg_try_advisory_lock($1)', [ADVISORY_LOCKS.imports]))) {
        throw new Error('an import is running, or being undone; try again when it has ended');
      }
      return await task();
    } finally {
      await closeQuietly(lock);
    }
  }

  /** Notes what a run did to posts, in the transaction of `em`. */
  async record(em: EntityManager, runId: number, posts: readonly RecordedPost[]): Promise<void> {
    const lines = posts.map(({ row, before, redirects }) => ({
      post_id: row.id,
      is_created: before === null,
      before: before?.columns ?? null,
      version_before: before?.version ?? 0,
      version_after: row.version,
      redirects,
    }));
    await em.execute(
      `insert into import_run_posts
         (run_id, post_id, is_created, before, version_before, version_after, redirects)
       select ?::int, line.* from jsonb_to_recordset(?::jsonb) as line
         (post_id uuid, is_created boolean, before jsonb, version_before int, version_after int, redirects jsonb)
       on conflict (run_id, post_id) do update
         set version_after = excluded.version_after, redirects = import_run_posts.redirects || excluded.redirects`,
      [runId, JSON.stringify(lines)],
    );
  }

  /** Returns those of the posts that an undoing put into the trash, and that nobody touched since. */
  async findUndone(em: EntityManager, rows: readonly Pick<PostRow, 'id' | 'version'>[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    const found = await em.execute<{ id: string }[]>(
      `select distinct p.id from jsonb_to_recordset(?::jsonb) as p (id uuid, version int)
       join import_run_posts r on r.post_id = p.id and r.is_created and r.undone_version = p.version`,
      [JSON.stringify(rows.map(({ id, version }) => ({ id, version })))],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** The runs, the latest first. For administrators. */
  async list(actor: Actor): Promise<ImportRunSummary[]> {
    await this.roles.requireAdmin(actor);
    return await this.read('');
  }

  /** One run; null if there is none of this number. For administrators. */
  async find(actor: Actor, id: number): Promise<ImportRunSummary | null> {
    await this.roles.requireAdmin(actor);
    const [run] = await this.read('where r.id = ?', [id]);
    return run ?? null;
  }

  private async read(where: string, values: readonly unknown[] = []): Promise<ImportRunSummary[]> {
    interface Row extends Omit<ImportRunSummary, 'state' | 'startedAt' | 'endedAt'> {
      readonly isRunning: boolean;
      readonly startedAt: string;
      readonly endedAt: string | null;
    }
    const em = this.em.fork({ disableTransactions: true });
    const rows = await em.execute<Row[]>(
      `select r.id, r.path, r.source_name as "sourceName", r.options, r.counts,
         to_json(r.started_at) as "startedAt", to_json(r.ended_at) as "endedAt",
         r.ended_at is null and exists (
           select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ?
             and l.objid = r.id and l.database = (select oid from pg_database where datname = current_database())
         ) as "isRunning",
         coalesce(p.created, 0) as created, coalesce(p.updated, 0) as updated, coalesce(p.undone, 0) as undone
       from import_runs r left join lateral (
         select count(*) filter (where is_created)::int as created,
           count(*) filter (where not is_created)::int as updated, count(undone_version)::int as undone
         from import_run_posts where run_id = r.id
       ) p on true
       ${where} order by r.id desc`,
      [ADVISORY_LOCKS.imports, ...values],
    );
    return rows.map(({ isRunning, startedAt, endedAt, ...run }) => ({
      ...run,
      state: isRunning ? 'running' : endedAt === null ? 'broken-off' : 'ended',
      startedAt: new Date(startedAt),
      endedAt: endedAt === null ? null : new Date(endedAt),
    }));
  }

  private async insert(path: string, sourceName: string | null, options: ImportOptions): Promise<number> {
    return await this.em.fork().transactional(async (em) => {
      const run = em.create(ImportRunRecord, {
        startedAt: this.clock.now(),
        path: resolve(path),
        sourceName,
        options: toRecordedOptions(options),
      });
      em.persist(run);
      await em.flush();
      return run.id;
    });
  }

  /** A run that wrote nothing is none: repeating an import every night leaves nothing behind. */
  private async end(id: number, counts: Readonly<Record<ImportOutcome, number>> | null): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    await em.execute(
      `delete from import_runs where id = ? and not exists (select from import_run_posts where run_id = ?)
         and not exists (select from comment_changes where run_id = ?)`,
      [id, id, id],
    );
    if (counts === null) return;
    await em.execute('update import_runs set ended_at = ?::timestamptz, counts = ?::jsonb where id = ?', [
      this.clock.now().toISOString(),
      JSON.stringify(counts),
      id,
    ]);
  }

  private async openLock(): Promise<DatabaseClient> {
    const client = new DatabaseClient({ connectionString: this.directUrl, application_name: 'import-lock' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await stayWhileIdle(client);
      return client;
    } catch (error) {
      await closeQuietly(client);
      throw error;
    }
  }
}

/** The columns of a row, to be kept as JSON. */
export function toFormerPost(row: PostRow): FormerPost {
  return {
    version: row.version,
    columns: Object.fromEntries(FORMER_COLUMNS.map((column) => [column, row[column] ?? null])),
  };
}

/** The columns that were kept. A field that was not known then is absent, and so stays as it is. */
export function fromFormerPost(columns: Readonly<Record<string, unknown>>): Partial<Pick<PostRow, FormerColumn>> {
  const given = FORMER_COLUMNS.filter((column) => columns[column] !== undefined);
  return Object.fromEntries(
    given.map((column) => {
      const value = columns[column];
      return [column, TIMES.has(column) && typeof value === 'string' ? new Date(value) : value];
    }),
  );
}

function toRecordedOptions(options: ImportOptions): Record<string, unknown> {
  const given = Object.entries(options).filter(
    ([name, value]) => RECORDED[name as keyof ImportOptions] && value !== undefined && value !== usualValue(name),
  );
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

/** The value of an option that is switched neither on nor off. */
function usualValue(name: string): boolean {
  return name === 'isFetching';
}

async function holds(client: DatabaseClient, statement: string, values: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<Record<string, boolean>>(statement, [...values]);
  return Object.values(rows[0] ?? {})[0] === true;
}

async function closeQuietly(client: DatabaseClient): Promise<void> {
  await client.close().catch(() => undefined);
}
