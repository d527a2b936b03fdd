import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onCleanup } from './cleanup.js';
import type { Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What `npm start` starts. */
const SERVER = join(root, 'dist/server.js');
const READY_TIMEOUT_MS = 30_000;

/** How a process ended and what it wrote. */
export interface ProcessResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real process of the product. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves with the match as soon as the standard output contains the pattern; fails if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the process has ended and its output was read to the end. */
  readonly ended: Promise<ProcessResult>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessResult>;
}

/**
 * Starts `node <args>` in `cwd`, the repository's root unless another folder is given, with these variables and
 * nothing else of the caller's environment but the path. Its standard input is `input`, or nothing. It is killed with
 * the tests of this file, if it still runs then.
 */
export function startProcess(
  args: readonly string[],
  environment: Variables & NodeJS.ProcessEnv,
  cwd = root,
  input = '',
): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process that ends without reading it is no failure of the test.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    ...output,
  }));
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    waitForOutput: (pattern) => waitForOutput(child, output, pattern),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function waitForOutput(
  child: ChildProcess,
  output: { readonly stdout: string; readonly stderr: string },
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const limit = AbortSignal.timeout(READY_TIMEOUT_MS);
  const gone = once(child, 'close', { signal: limit });
  for (;;) {
    const match = pattern.exec(output.stdout);
    if (match) return match;
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded) throw new Error(`The process ended before it wrote ${pattern}:\n${output.stdout}${output.stderr}`);
    await Promise.race([once(child.stdout ?? child, 'data', { signal: limit }), gone]);
  }
}

/** The built server (`npm start`), whether it comes up or not. It starts in an empty folder, where no .env lies. */
export function launchServer(environment: Variables): RunningProcess {
  return startProcess([SERVER], environment, temporaryFolder());
}

/** Starts the built server and waits until it answers. */
export async function startServer(environment: Variables): Promise<RunningProcess & { readonly url: string }> {
  const server = launchServer(environment);
  const [, url = ''] = await server.waitForOutput(/Listening at (http:\S+)/);
  return { ...server, url };
}
