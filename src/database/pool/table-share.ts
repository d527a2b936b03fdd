import { DatabaseUnavailableError } from '../database-unavailable.js';

/** A statement that runs for so long is probably waiting for a table. */
const SLOW_MS = 1000;
const SWEEP_MS = 250;
/** The part of a statement that is searched for table names; its values may be as long as a post. */
const SEARCHED_CHARACTERS = 4000;
const TABLE = /\b(?:from|join|into|update)\s+(?:only\s+)?((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)/gi;

interface Statement {
  readonly tables: readonly string[];
  readonly startedAt: number;
  /** Ends the statement early; undefined where it may take as long as it likes. */
  readonly abort: ((reason: Error) => void) | undefined;
}

/**
 * Keeps half of the pool for others when statements wait for one table, as while somebody holds a lock on it. Without
 * this, requests for that table would soon hold every connection, and nobody could sign in.
 */
export class TableShare {
  private readonly running = new Set<Statement>();
  private readonly limit: number;
  private sweep: NodeJS.Timeout | undefined;

  constructor(poolSize: number) {
    this.limit = Math.max(1, Math.floor(poolSize / 2));
  }

  /**
   * Runs a statement.
   * @throws DatabaseUnavailableError if half of the pool waits for one of its tables already
   */
  async share<T>(sql: string, abort: Statement['abort'], run: () => Promise<T>): Promise<T> {
    const tables = findTables(sql);
    const busy = abort && tables.find((table) => this.slowOn(table).length >= this.limit);
    if (busy !== undefined) throw refusal(busy);
    const statement: Statement = { tables, startedAt: performance.now(), abort };
    this.running.add(statement);
    try {
      return await run();
    } finally {
      this.running.delete(statement);
    }
  }

  /** While somebody waits for a connection, takes those away that are above a table's share. */
  relieve(isNeeded: () => boolean): void {
    this.sweep ??= setInterval(() => {
      if (isNeeded()) this.abortSurplus();
      else this.stop();
    }, SWEEP_MS).unref();
  }

  stop(): void {
    clearInterval(this.sweep);
    this.sweep = undefined;
  }

  private abortSurplus(): void {
    for (const table of new Set([...this.running].flatMap(({ tables }) => tables))) {
      const slow = this.slowOn(table);
      const surplus = slow.length - this.limit;
      for (const { abort } of slow.filter(({ abort }) => abort).slice(0, Math.max(0, surplus))) {
        abort?.(refusal(table));
      }
    }
  }

  /** Statements that have been waiting for this table for long, the oldest first. */
  private slowOn(table: string): Statement[] {
    const now = performance.now();
    return [...this.running].filter(({ tables, startedAt }) => tables.includes(table) && now - startedAt > SLOW_MS);
  }
}

function findTables(sql: string): string[] {
  return [...sql.slice(0, SEARCHED_CHARACTERS).matchAll(TABLE)].map(([, name = '']) => name.replaceAll('"', ''));
}

function refusal(table: string): DatabaseUnavailableError {
  return new DatabaseUnavailableError(`Too many statements wait for the table ${table}`);
}
