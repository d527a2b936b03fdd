import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import { DATABASE_JOB_QUEUE_MS, DRAIN_MS } from '../config/time-limits.js';
import { describeJobError } from './job-queue-error.js';
import { mendMoments } from './job-queue-moments.js';
import { JOB_QUEUE_SCHEMA } from './job-queue-schema.js';
import { RecentWords } from './recent-words.js';
import { DIRECT_URL } from './open-database.js';
import { CONNECTION_OPTIONS } from './pool/database-client.js';

/** A kind of work that waits in the database, and how it is retried. Times in seconds. */
export interface QueueDefinition {
  readonly name: string;
  readonly options: {
    /** Attempts after the first one. */
    readonly retryLimit: number;
    /** Doubles with every attempt, up to `retryDelayMax`. */
    readonly retryDelay: number;
    readonly retryDelayMax: number;
    /** A job that runs for longer is taken for failed. */
    readonly expireInSeconds: number;
    /** How long jobs that are done remain to be looked at. */
    readonly deleteAfterSeconds: number;
    /** A job that was not done by then is dropped; two weeks unless a queue says otherwise. */
    readonly retentionSeconds?: number;
  };
}

/** One job in the hands of a worker. */
export interface RunningJob<T> {
  /** The same at every attempt. */
  readonly id: string;
  readonly data: T;
  /** Aborted when the job ran for too long, or when the process cannot wait for its end. */
  readonly signal: AbortSignal;
  /** True when it is given up unless it succeeds now. Attempts that a process took down with it count. */
  readonly isLastAttempt: boolean;
}

/** The jobs of a queue that are due and not done. */
export interface Backlog {
  readonly queue: string;
  readonly count: number;
  /** For how long the oldest of them has been due. */
  readonly oldestSeconds: number;
}

/** How the work of a queue stands. */
export interface QueueState {
  /** True when a job waits, for its time or for another attempt, or is being done. */
  readonly isAtWork: boolean;
  /** When the last job was given up; null for none that is still known. */
  readonly givenUpAt: Date | null;
}

/** Thrown by a handler whose job would fail at every further attempt. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError';
}

/** Thrown by a handler whose job cannot be done yet for a reason of its own: other jobs of the queue may be. */
export class DeferredJobError extends Error {
  override readonly name = 'DeferredJobError';

  /** @param party who puts it off, such as the domain of a recipient: jobs of one party wait for the same reason */
  constructor(
    message: string,
    readonly party: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** New jobs are announced by NOTIFY; polling finds retries that have become due, and missed announcements. */
const POLLING_SECONDS = 2;
/** A worker that is silent for as long is dead, and its job goes to another one. */
const HEARTBEAT_SECONDS = 10;
const SUPERVISION_SECONDS = 5;
/** How often moments are looked for that a wrong clock noted. */
const MEND_MS = 60_000;
/** Less than the limit of all hooks: leaving jobs to others is no reason to complain. */
const MARGIN_MS = 200;
const CONNECTIONS = 4;
const SAME_COMPLAINT_MS = 60_000;

/**
 * Jobs in PostgreSQL (pg-boss): written in the transaction of their cause, and done by one worker of any process. A job
 * whose process dies is done again, so handlers must tolerate repetition.
 */
@Injectable()
export class JobQueue implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly queues = new Map<string, Promise<void>>();
  private readonly working = new Set<string>();
  private boss: Promise<PgBoss> | undefined;
  private mender: NodeJS.Timeout | undefined;
  private mending: Promise<void> = Promise.resolve();
  private readonly complaints = new RecentWords(SAME_COMPLAINT_MS);

  constructor(@Inject(DIRECT_URL) private readonly url: string) {}

  /**
   * Adds a job as part of the transaction of `em`.
   * @param options startAfter: when it is to be done, at once unless it says so
   * @returns the job's id
   * @throws Error outside of a transaction, where the job could be done although its cause failed
   */
  async send(
    em: EntityManager,
    queue: QueueDefinition,
    data: object,
    options: { readonly startAfter?: Date } = {},
  ): Promise<string> {
    if (!em.isInTransaction()) throw new Error(`A job of ${queue.name} must be queued in a transaction`);
    const boss = await this.open(queue);
    const { fromKysely } = await import('pg-boss');
    const id = await boss.send(queue.name, data, { ...options, db: fromKysely(em.getKysely()) });
    if (id === null) throw new Error(`A job of ${queue.name} was not taken`);
    return id;
  }

  /**
   * Does the jobs of a queue in this process until it stops. A handler that throws is called again later, unless it
   * throws a {@link PermanentJobError}.
   * @param concurrency jobs at the same time
   */
  async work<T extends object>(
    queue: QueueDefinition,
    concurrency: number,
    handler: (job: RunningJob<T>) => Promise<void>,
  ): Promise<void> {
    const boss = await this.open(queue);
    this.working.add(queue.name);
    this.keepMending(boss);
    await Promise.all(Array.from({ length: concurrency }, () => this.startWorker(boss, queue.name, handler)));
  }

  /** Makes the waiting retries of a queue due now, once their cause is over. */
  async hasten(em: EntityManager, queue: QueueDefinition): Promise<void> {
    await em.execute(
      `update ${JOB_QUEUE_SCHEMA}.job set start_after = now() where name = ? and state = 'retry' and start_after > now()`,
      [queue.name],
    );
  }

  /** Which of these values the jobs of a queue that are not done have under that key of their data. */
  async findUnfinished(
    em: EntityManager,
    queue: QueueDefinition,
    key: string,
    values: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (values.length === 0) return new Set();
    const rows = await em.execute<{ value: string }[]>(
      `select data->>? as value from ${JOB_QUEUE_SCHEMA}.job
       where name = ? and state in ('created', 'retry', 'active') and data->>? in (${values.map(() => '?').join()})`,
      [key, queue.name, key, ...values],
    );
    return new Set(rows.map(({ value }) => value));
  }

  /**
   * Removes all jobs, done or not, that have one of these values under that key of their data, in the transaction of
   * `em`, when the subject of the jobs is removed, or nobody wants them done any more.
   */
  async forget(em: EntityManager, key: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    const list = values.map(() => '?').join();
    await em.execute(`delete from ${JOB_QUEUE_SCHEMA}.job where data->>? in (${list})`, [key, ...values]);
  }

  /**
   * Removes the jobs of a queue that are not done and have all of this in their data, in the transaction of `em`, when
   * nobody wants them done any more. One that is being done right now goes on, and is not tried again.
   */
  async withdraw(em: EntityManager, queue: QueueDefinition, part: object): Promise<void> {
    // In a new database, which no server has used yet, its tables have to be there.
    await this.open(queue);
    await em.execute(
      `delete from ${JOB_QUEUE_SCHEMA}.job
       where name = ? and state in ('created', 'retry', 'active') and data @> cast(? as jsonb)`,
      [queue.name, JSON.stringify(part)],
    );
  }

  /** Returns the time at which the oldest unfinished job of queues with this prefix was queued; null for none. */
  async findOldestUnfinished(em: EntityManager, prefix: string): Promise<Date | null> {
    const rows = await em.execute<{ oldest: Date | string | null }[]>(
      `select min(created_on) as oldest from ${JOB_QUEUE_SCHEMA}.job
       where starts_with(name, ?) and state in ('created', 'retry', 'active')`,
      [prefix],
    );
    const oldest = rows[0]?.oldest ?? null;
    return oldest === null ? null : new Date(oldest);
  }

  /** Says how the work of a queue stands. */
  async findState(em: EntityManager, queue: QueueDefinition): Promise<QueueState> {
    const [row] = await em.execute<{ busy: boolean | null; failed: Date | string | null }[]>(
      `select bool_or(state in ('created', 'retry', 'active')) as busy, max(completed_on) filter (where state = 'failed') as failed
       from ${JOB_QUEUE_SCHEMA}.job where name = ?`,
      [queue.name],
    );
    const failedAt = row?.failed ?? null;
    return { isAtWork: row?.busy ?? false, givenUpAt: failedAt === null ? null : new Date(failedAt) };
  }

  /** Counts the due, unfinished jobs of every queue, empty queues included. */
  async findBacklogs(em: EntityManager): Promise<readonly Backlog[]> {
    // A plan for later is not late; what failed has been due since it was made.
    const rows = await em.execute<{ queue: string; count: string; seconds: string | null }[]>(
      `select queue.name as queue, count(job.id) as count, extract(epoch from now() - min(job.due)) as seconds
       from ${JOB_QUEUE_SCHEMA}.queue left join (
         select id, name, case state when 'created' then greatest(created_on, start_after) else created_on end as due
         from ${JOB_QUEUE_SCHEMA}.job where state in ('created', 'retry', 'active')
       ) job on job.name = queue.name and job.due <= now()
       where not starts_with(queue.name, '__') group by queue.name order by queue.name`,
    );
    return rows.map(({ queue, count, seconds }) => ({
      queue,
      count: Number(count),
      oldestSeconds: Math.max(0, Number(seconds ?? 0)),
    }));
  }

  /** Takes no further jobs and waits for running ones; jobs that take too long are left to other processes. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.boss || this.working.size === 0) return;
    clearInterval(this.mender);
    const boss = await this.boss;
    const ends = [...this.working].map((name) => boss.offWork(name, { wait: true }));
    const limit = new AbortController();
    await Promise.race([
      Promise.all(ends),
      delay(DRAIN_MS - MARGIN_MS, undefined, { signal: limit.signal }).catch(() => {}),
    ]);
    limit.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.mending;
    // Jobs that are still running go back to the queue.
    await (await this.boss)?.stop({ graceful: false });
  }

  private async open(queue: QueueDefinition): Promise<PgBoss> {
    const boss = await (this.boss ??= this.start());
    let created = this.queues.get(queue.name);
    if (!created) {
      created = createQueue(boss, queue);
      this.queues.set(queue.name, created);
      // The next one who needs it tries again.
      created.catch(() => this.queues.delete(queue.name));
    }
    await created;
    return boss;
  }

  private async start(): Promise<PgBoss> {
    const { PgBoss } = await import('pg-boss');
    // Options that the types leave out reach the driver as well.
    const options = {
      ...CONNECTION_OPTIONS,
      // A statement that is not answered is given up, so that the queue goes on when the database does.
      query_timeout: DATABASE_JOB_QUEUE_MS,
      connectionString: this.url,
      application_name: 'job-queue',
      schema: JOB_QUEUE_SCHEMA,
      max: CONNECTIONS,
      schedule: false,
      superviseIntervalSeconds: SUPERVISION_SECONDS,
      monitorIntervalSeconds: SUPERVISION_SECONDS,
      useListenNotify: true,
    };
    const boss = new PgBoss(options);
    boss.on('error', (error) => this.complain(describeJobError(error)));
    boss.on('warning', ({ message }) => this.complain(message));
    return await boss.start().catch(async (error: unknown) => {
      this.boss = undefined;
      // Gives back the connections that it has opened already.
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw error;
    });
  }

  /** Once per process that works: a clock may be set back at any time. */
  private keepMending(boss: PgBoss): void {
    if (this.mender !== undefined) return;
    const mend = () => {
      this.mending = this.mending.then(() => this.mend(boss));
    };
    this.mender = setInterval(mend, MEND_MS).unref();
    mend();
  }

  private async mend(boss: PgBoss): Promise<void> {
    try {
      const count = await mendMoments(boss.getDb());
      if (count > 0)
        this.logger.warn(
          { jobs: count },
          'Jobs were dated in the future by a clock that was wrong; they are due again',
        );
    } catch (error) {
      // The next round has the same to do.
      this.complain(describeJobError(error));
    }
  }

  private async startWorker<T extends object>(
    boss: PgBoss,
    name: string,
    handler: (job: RunningJob<T>) => Promise<void>,
  ): Promise<void> {
    const options = {
      batchSize: 1,
      perJobResults: true as const,
      includeMetadata: true as const,
      pollingIntervalSeconds: POLLING_SECONDS,
      notifyPollingIntervalSeconds: POLLING_SECONDS,
    };
    const worker: { id?: string } = {};
    worker.id = await boss.work<T, void, typeof options>(name, options, async (jobs) => {
      // After a job the next one is looked for at once, not after the polling interval.
      if (worker.id) boss.notifyWorker(worker.id);
      return await Promise.all(jobs.map((job) => runJob(job, handler)));
    });
  }

  /** While the database is away, or takes no changes, the same few things are said several times a second. */
  private complain(message: string): void {
    if (this.complaints.note(message)) this.logger.warn(message);
  }
}

async function runJob<T>(job: JobWithMetadata<T>, handler: (job: RunningJob<T>) => Promise<void>): Promise<JobResult> {
  try {
    const { id, data, signal, retryCount, retryLimit } = job;
    await handler({ id, data, signal, isLastAttempt: retryCount >= retryLimit });
    return { id: job.id, status: 'completed' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Without a dead letter queue the job stays where it is, as failed.
    const status = error instanceof PermanentJobError ? 'deadletter' : 'failed';
    const party = error instanceof DeferredJobError ? { party: error.party } : {};
    return { id: job.id, status, output: { message, ...party } };
  }
}

async function createQueue(boss: PgBoss, { name, options }: QueueDefinition): Promise<void> {
  const settings = { ...options, retryBackoff: true, heartbeatSeconds: HEARTBEAT_SECONDS, notify: true };
  await boss.createQueue(name, settings);
  // The queue may be there with the options of an earlier version.
  await boss.updateQueue(name, settings);
}
