import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { DATABASE_CONNECT_MS } from '../../config/time-limits.js';
import { DatabaseUnavailableError, toConnectError } from '../database-unavailable.js';
import { DatabaseClient } from './database-client.js';
import { findBudget, REQUEST_LIMITS, type DatabaseLimits } from './database-limits.js';
import { Lease } from './lease.js';
import { TableShare } from './table-share.js';

/** Connections that are lent when the pool ends may be used for so long. */
const END_GRACE_MS = 2000;

interface Options {
  /** The most connections. */
  readonly size: number;
  /** For work outside of a request. */
  readonly limits: DatabaseLimits;
  /** How values of PostgreSQL's types are read. */
  readonly types: pg.CustomTypesConfig;
}

/** Numbers of connections. Without work, `total` equals `idle`, and nobody waits. */
export interface PoolFigures {
  readonly total: number;
  readonly idle: number;
  readonly lent: number;
  readonly waiting: number;
  /** The most there may be. */
  readonly size: number;
}

/**
 * Lends connections, under the limits of the request or task. Each is returned or destroyed, whatever happens to it:
 * see {@link Lease}.
 */
export class ConnectionPool implements PostgresPool {
  /** Limits of requests that come from now on. No setting, as nobody waits for longer; tests of something else raise it. */
  requestLimits = REQUEST_LIMITS;
  /** Opening a connection from now on may take so many milliseconds; likewise. */
  connectMs = DATABASE_CONNECT_MS;
  readonly options: pg.PoolConfig;
  private readonly pool: pg.Pool;
  private readonly leases = new Set<Lease>();
  private readonly tables: TableShare;
  private readonly limits: DatabaseLimits;
  private waiting = 0;
  private ending: Promise<void> | undefined;

  constructor(url: string, { size, limits, types }: Options) {
    this.options = { connectionString: url, min: 0, max: size, types };
    this.limits = limits;
    this.tables = new TableShare(size);
    const limitMs = () => this.connectMs;
    class Client extends DatabaseClient {
      constructor(config: pg.ClientConfig) {
        super(config, limitMs());
      }
    }
    this.pool = new pg.Pool({ ...this.options, Client: Client as unknown as new () => pg.ClientBase });
    // One that breaks while nobody has it is gone already; without a listener its error would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Lends a connection.
   * @throws DatabaseUnavailableError if none is free in time or can be opened; the server's own error where its code says so
   *   already, or that the disk is full
   */
  async connect(): Promise<Lease> {
    const budget = findBudget(this.limits);
    const stopClock = budget.start();
    this.waiting += 1;
    this.tables.relieve(() => this.waiting > 0);
    try {
      const client = await this.takeWithin(Math.min(budget.limits.acquireMs, budget.remainingMs));
      const lease = new Lease(client, { budget, tables: this.tables, handleEnd: (ended) => this.leases.delete(ended) });
      this.leases.add(lease);
      return lease;
    } catch (error) {
      throw toConnectError(error);
    } finally {
      this.waiting -= 1;
      stopClock();
    }
  }

  /**
   * Reads the rows of one statement, with values for `$1` and so on, outside of a transaction.
   * @throws DatabaseUnavailableError
   */
  async read<R>(sql: string, values: readonly unknown[] = []): Promise<R[]> {
    const lease = await this.connect();
    try {
      return (await lease.query<R>(sql, values)).rows;
    } finally {
      lease.release();
    }
  }

  /**
   * Asks whether the database takes changes, which one that answers need not do.
   * @throws DatabaseUnavailableError
   */
  async takesChanges(): Promise<boolean> {
    const lease = await this.connect();
    try {
      const { rows } = await lease.query<{ mode: string }>(
        `select current_setting('transaction_read_only') as mode`,
        [],
      );
      if (rows[0]?.mode !== 'on') return true;
      lease.retire();
      return false;
    } finally {
      lease.release();
    }
  }

  figures(): PoolFigures {
    const { totalCount: total, idleCount: idle } = this.pool;
    return { total, idle, lent: this.leases.size, waiting: this.waiting, size: this.options.max ?? 0 };
  }

  /** Takes no further work; lent connections are returned soon, or destroyed. */
  async end(): Promise<void> {
    this.ending ??= this.close();
    await this.ending;
  }

  private async close(): Promise<void> {
    const timer = setTimeout(() => {
      for (const lease of this.leases) lease.abandon(new DatabaseUnavailableError('The connections are being closed'));
    }, END_GRACE_MS);
    await this.pool.end();
    clearTimeout(timer);
    this.tables.stop();
  }

  private async takeWithin(limitMs: number): Promise<DatabaseClient> {
    const taking = this.pool.connect() as Promise<unknown> as Promise<DatabaseClient>;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = () => {
        reject(new DatabaseUnavailableError('No connection to the database was free in time'));
        // One that comes too late is for the next who waits.
        taking.then(
          (client) => client.release(false),
          () => undefined,
        );
      };
      timer = setTimeout(giveUp, limitMs);
    });
    try {
      return await Promise.race([taking, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
