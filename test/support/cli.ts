import type { Variables } from './environment.js';
import { startProcess, type ProcessResult } from './process.js';

/** Runs the built command line (`npm run cli -- <args>`) to its end, with `input` as its standard input. */
export function runCli(args: readonly string[], environment: Variables, input?: string): Promise<ProcessResult> {
  return startProcess(['dist/cli.js', ...args], environment, undefined, input).ended;
}
