import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_STOP_MS, SHUTDOWN_MS } from '../config/time-limits.js';
import type { Steps } from './steps.js';

/** A terminal that is closed sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One press of Ctrl+C arrives up to three times: from the terminal, from npm and from a Node that started this one. */
const ECHO_MS = 1_000;
/** Time to write the reason to the log and to exit. */
const LAST_WORDS_MS = 300;

/** From the first signal to the end; workers are gone before the process that watches them stops the database. */
export const endLimitMs = (isWorker: boolean): number =>
  SHUTDOWN_MS - LAST_WORDS_MS - (isWorker ? DATABASE_STOP_MS + LAST_WORDS_MS : 0);

/** How a process ends. */
export interface Ways {
  /** Tells balancers to leave; the process goes on serving. */
  readonly announce: () => void;
  /** For how long it does (SHUTDOWN_DELAY). */
  readonly delayMs: number;
  /** Ends what has begun, then everything else; `left` are the milliseconds until the process ends anyway. */
  readonly close: (left: () => number) => Promise<void>;
  /** Waits for nobody; what must not outlive this process ends even so. */
  readonly abandon: () => Promise<void>;
  /** Names what is being waited for. */
  readonly steps: Steps;
}

/**
 * Ends the process on the first SIGINT, SIGTERM or SIGHUP, within SHUTDOWN_MS whatever hangs; what did is named on
 * standard error. Whoever sends another signal later does not want to wait. Workers leave that to the process that
 * watches them: what a terminal or a service manager sends reaches both.
 */
export function endOnSignal(ways: Ways): void {
  let begunAt: number | undefined;
  let isAbandoned = false;
  const handleSignal = () => {
    if (begunAt === undefined) {
      begunAt = performance.now();
      exitAfter(endWithin(endLimitMs(cluster.isWorker), ways), 0, ways.steps);
    } else if (cluster.isPrimary && performance.now() - begunAt > ECHO_MS) {
      if (isAbandoned) process.exit(1);
      isAbandoned = true;
      say('Stopped without waiting for what was still being done.');
      exitAfter(ways.abandon(), 1, ways.steps);
    }
  };
  for (const signal of SIGNALS) process.on(signal, handleSignal);
}

async function endWithin(limitMs: number, { announce, delayMs, close, steps }: Ways): Promise<void> {
  // The terminal that sent the signal may be gone, and nobody reads any more what is written: no reason to fail.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const endAt = performance.now() + limitMs;
  setTimeout(() => exit(1, steps), limitMs);
  announce();
  if (delayMs > 0) await delay(delayMs);
  await close(() => Math.max(0, endAt - performance.now()));
}

function exitAfter(ending: Promise<void>, code: number, steps: Steps): void {
  ending.then(
    () => exit(code, steps),
    (error: unknown) => {
      say(`Could not stop cleanly: ${String(error)}`);
      exit(1, steps);
    },
  );
}

function exit(code: number, { unfinished }: Steps): never {
  if (unfinished.length > 0) say(`Ended without waiting any longer for ${unfinished.join(', ')}.`);
  process.exit(unfinished.length > 0 ? 1 : code);
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
