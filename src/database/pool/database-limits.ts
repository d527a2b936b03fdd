import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailableError } from '../database-unavailable.js';
import {
  DATABASE_COMMAND_MS,
  DATABASE_IDLE_IN_TRANSACTION_MS,
  DATABASE_JOB_MS,
  DATABASE_LARGE_CHANGE_MS,
  DATABASE_LOCK_MS,
  DATABASE_REQUEST_MS,
} from '../../config/time-limits.js';

/** How long somebody may wait for the database, in milliseconds. */
export interface DatabaseLimits {
  /** For a free connection, the opening of a new one included. */
  readonly acquireMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  /** Without a statement while a connection is lent; Infinity for no limit. */
  readonly idleMs: number;
  /** All of it together. Infinity for work that nobody waits for; it is never cut short for the sake of others. */
  readonly totalMs: number;
}

/** Limits of a request. */
export const REQUEST_LIMITS: DatabaseLimits = {
  // Nobody is away because many ask at once; opening a connection has a limit of its own.
  acquireMs: DATABASE_REQUEST_MS,
  statementMs: DATABASE_REQUEST_MS,
  lockMs: DATABASE_LOCK_MS,
  idleMs: DATABASE_IDLE_IN_TRANSACTION_MS,
  totalMs: DATABASE_REQUEST_MS,
};

/** For the work that servers do on their own: mails, schedules, upkeep. */
export const JOB_LIMITS: DatabaseLimits = {
  acquireMs: DATABASE_REQUEST_MS,
  statementMs: DATABASE_JOB_MS,
  lockMs: DATABASE_REQUEST_MS,
  idleMs: DATABASE_JOB_MS,
  totalMs: Infinity,
};

/** For work that holds a lock in a transaction for as long as something else takes, such as a bucket. */
export const UPKEEP_LIMITS: DatabaseLimits = { ...JOB_LIMITS, statementMs: DATABASE_COMMAND_MS, idleMs: Infinity };

/** For the command line, migrations included. */
export const COMMAND_LIMITS: DatabaseLimits = {
  acquireMs: DATABASE_JOB_MS,
  statementMs: DATABASE_COMMAND_MS,
  lockMs: DATABASE_JOB_MS,
  idleMs: DATABASE_COMMAND_MS,
  totalMs: Infinity,
};

/** Database time of one request or task: while several of its queries run at once, time counts once. */
export class DatabaseBudget {
  private spentMs = 0;
  private running = 0;
  private since = 0;
  private hasEnded = false;

  constructor(readonly limits: DatabaseLimits) {}

  get remainingMs(): number {
    const runningMs = this.running > 0 ? performance.now() - this.since : 0;
    return Math.max(0, this.limits.totalMs - this.spentMs - runningMs);
  }

  /**
   * Starts the clock; it runs until the returned function is called.
   * @throws DatabaseUnavailableError when all time is spent
   */
  start(): () => void {
    if (this.remainingMs === 0) throw new DatabaseUnavailableError('The request has used up its time of the database');
    if (this.running === 0) this.since = performance.now();
    this.running += 1;
    return () => {
      this.running -= 1;
      if (this.running === 0) this.spentMs += performance.now() - this.since;
    };
  }

  /** Work that a request leaves behind is not bound by the request's limits. */
  end(): void {
    this.hasEnded = true;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }
}

const current = new AsyncLocalStorage<DatabaseBudget>();

/** Runs a task, and everything that it starts, under these limits. The budget is handed over to be ended early. */
export function withDatabaseLimits<T>(limits: DatabaseLimits, task: (budget: DatabaseBudget) => T): T {
  const budget = new DatabaseBudget(limits);
  return current.run(budget, () => task(budget));
}

/**
 * Runs a change that may be one of very many rows with more time than its request has, and with a budget of its own. Jobs and
 * commands keep their limits.
 */
export function withTimeForLargeChange<T>(task: () => Promise<T>): Promise<T> {
  const atLeast = (limitMs: number) => Math.max(limitMs, DATABASE_LARGE_CHANGE_MS);
  return withBudgetOfItsOwn(task, (limits) => ({
    ...limits,
    statementMs: atLeast(limits.statementMs),
    totalMs: atLeast(limits.totalMs),
  }));
}

/**
 * Runs one part of a long answer with as much time as its request has, whatever the parts before have used up. Jobs and
 * commands keep their limits.
 */
export function withTimeForPart<T>(task: () => Promise<T>): Promise<T> {
  return withBudgetOfItsOwn(task, (limits) => limits);
}

/** The budget ends with the task: what is told at its end starts rounds of jobs, which have limits of their own. */
async function withBudgetOfItsOwn<T>(
  task: () => Promise<T>,
  change: (limits: DatabaseLimits) => DatabaseLimits,
): Promise<T> {
  const budget = current.getStore();
  if (budget === undefined || budget.isOver) return task();
  return withDatabaseLimits(change(budget.limits), async (own) => {
    try {
      return await task();
    } finally {
      own.end();
    }
  });
}

/** Returns the budget of the running request or task, or a new one with `fallback`. */
export function findBudget(fallback: DatabaseLimits): DatabaseBudget {
  const budget = current.getStore();
  return budget === undefined || budget.isOver ? new DatabaseBudget(fallback) : budget;
}
