import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onCleanup } from './cleanup.js';
import type { Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The file that `npm start` runs. */
const SERVER = join(root, 'dist/server.js');

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
  /** Closes the pipe of its standard output, as a reader does that ends. */
  stopReading(): void;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessResult>;
}

/**
 * Starts `node <args>`, or another program that becomes one, in `cwd`, the repository's root unless another folder is given, with these variables and
 * nothing else of the caller's environment but the path. Its standard input is `input`, or nothing. It is killed with
 * the tests of this file, if it still runs then.
 */
export function startProcess(
  args: readonly string[],
  environment: Variables & NodeJS.ProcessEnv,
  cwd = root,
  input = '',
  program = process.execPath,
): RunningProcess {
  const child = spawn(program, args, {
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
  let hasClosed = false;
  child.once('close', () => (hasClosed = true));
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    waitForOutput: (pattern) => waitForOutput(child, output, pattern, () => hasClosed),
    stopReading: () => void child.stdout.destroy(),
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
  hasClosed: () => boolean,
): Promise<RegExpExecArray> {
  return await new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output.stdout);
      if (match) end(() => resolve(match));
      return match !== null;
    };
    const fail = (what: string) =>
      end(() => reject(new Error(`The process ${what} ${pattern}:\n${output.stdout}${output.stderr}`)));
    const handleClose = () => fail('ended before it wrote');
    const limit = setTimeout(() => fail(`did not write within ${WAIT_LIMIT_MS / 1000} s`), WAIT_LIMIT_MS);
    const end = (settle: () => void) => {
      clearTimeout(limit);
      child.stdout?.off('data', look);
      child.off('close', handleClose);
      settle();
    };
    child.stdout?.on('data', look);
    child.on('close', handleClose);
    if (look() || !hasClosed()) return;
    fail('ended before it wrote');
  });
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
