import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailableError, toDatabaseError } from '../database-unavailable.js';
import { requestCancel } from './cancel-request.js';
import type { DatabaseBudget, DatabaseLimits } from './database-limits.js';
import type { DatabaseClient } from './database-client.js';
import type { TableShare } from './table-share.js';

const BEGIN = /^(?:begin|start transaction)\b/i;
/** The statements that begin and end transactions. COMMIT is missing: a COMMIT that fails is followed by ROLLBACK. */
const BOUNDARY = /^(?:begin|start transaction|rollback$)/i;
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

interface LeaseOptions {
  readonly budget: DatabaseBudget;
  readonly tables: TableShare;
  /** Called once, when the connection is back in the pool or destroyed. */
  readonly handleEnd: (lease: Lease) => void;
}

/**
 * One connection in somebody's hands. It goes back to the pool when it is released, and at once, by itself, when it
 * breaks or exceeds a limit: the query builder gives a connection back only when BEGIN, COMMIT or ROLLBACK succeeds,
 * which none of them does on a connection that is dead.
 */
export class Lease implements PostgresPoolClient {
  private client: DatabaseClient | undefined;
  private failure: Error | undefined;
  private running = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private isStale = false;

  constructor(
    client: DatabaseClient,
    private readonly options: LeaseOptions,
  ) {
    this.client = client;
    client.on('error', this.handleLoss);
    client.on('end', this.handleLoss);
    this.watchIdleness();
  }

  get processID(): number | undefined {
    return this.client?.processID;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new Error('Rows are not streamed over connections of the pool');
    return this.run<R>(sql, parameters);
  }

  release(): void {
    // A statement that still runs would answer whoever has the connection next.
    if (this.running > 0 || this.isStale) this.destroy();
    else this.giveBack(false);
  }

  /**
   * Has the connection closed when it is given back. One that takes no changes leads to a standby, such as the server
   * that was the primary until a failover: it would go on to do so for as long as it is used, and a new one leads elsewhere.
   */
  retire(): void {
    this.isStale = true;
  }

  /** Ends the lease; a running statement fails with `reason`. */
  abandon(reason: Error): void {
    if (this.client === undefined) return;
    this.failure ??= reason;
    if (this.running > 0) requestCancel(this.client.backend);
    this.destroy();
  }

  private get limits(): DatabaseLimits {
    return this.options.budget.limits;
  }

  private async run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    clearTimeout(this.idleTimer);
    this.running += 1;
    try {
      return (await this.runWithin(sql, parameters)) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (BOUNDARY.test(sql)) this.destroy();
      if ((error as { code?: unknown } | null)?.code === READ_ONLY) this.retire();
      throw this.failure ?? toDatabaseError(error);
    } finally {
      this.running -= 1;
      this.watchIdleness();
    }
  }

  private async runWithin(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const { client, limits } = this;
    const { budget, tables } = this.options;
    if (client === undefined) throw this.failure ?? new DatabaseUnavailableError('The connection was given back');
    const stopClock = budget.start();
    const late = () => this.abandon(new DatabaseUnavailableError('The database takes too long'));
    const timer = setTimeout(late, Math.min(limits.statementMs, budget.remainingMs));
    const canBeCutShort = Number.isFinite(limits.totalMs);
    try {
      return await tables.share(sql, canBeCutShort ? (reason) => this.abandon(reason) : undefined, () =>
        client.query(BEGIN.test(sql) ? `${sql}; ${localLimits(limits)}` : sql, [...parameters]),
      );
    } finally {
      clearTimeout(timer);
      stopClock();
    }
  }

  /**
   * Gives up a transaction that is idle for too long: nobody may hold a connection while waiting for something else,
   * such as a bucket.
   */
  private watchIdleness(): void {
    clearTimeout(this.idleTimer);
    if (this.client === undefined || this.running > 0 || this.limits.idleMs === Infinity) return;
    const expire = () => this.abandon(new DatabaseUnavailableError('A transaction was left alone for too long'));
    this.idleTimer = setTimeout(expire, this.limits.idleMs).unref();
  }

  private readonly handleLoss = (error?: Error): void => {
    this.failure ??= new DatabaseUnavailableError('The connection to the database was lost', { cause: error });
    this.destroy();
  };

  private destroy(): void {
    this.client?.socket.destroy();
    this.giveBack(true);
  }

  private giveBack(isBroken: boolean): void {
    const { client } = this;
    if (client === undefined) return;
    this.client = undefined;
    clearTimeout(this.idleTimer);
    client.off('error', this.handleLoss);
    client.off('end', this.handleLoss);
    client.release(isBroken);
    this.options.handleEnd(this);
  }
}

/** Part of the message that begins a transaction, so that the limits hold behind a connection pooler too. */
function localLimits({ statementMs, lockMs, idleMs }: DatabaseLimits): string {
  return (
    `set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; ` +
    `set local idle_in_transaction_session_timeout = ${idleMs === Infinity ? 0 : idleMs}`
  );
}
