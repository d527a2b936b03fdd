import type { Variables } from './environment.js';
import { startProcess, type ProcessResult } from './process.js';

/** Runs the built command line (`npm run cli -- <args>`) to its end. */
export function runCli(args: readonly string[], environment: Variables): Promise<ProcessResult> {
  return startProcess(['dist/cli/main.js', ...args], environment).ended;
}
