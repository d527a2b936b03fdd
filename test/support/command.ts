import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { jest } from '@jest/globals';
import { run } from '../../cli/program.js';
import type { TestApp } from './create-test-app.js';
import type { Variables } from './environment.js';
import type { ProcessResult } from './process.js';

/**
 * Runs a command in this process, over an application that is there already: starting one for every command is most of
 * what a command costs. What starting has to do with it is for `runCli`. One command at a time.
 */
export async function runCommand(
  app: TestApp,
  args: readonly string[],
  input: string | Buffer = '',
  { isTerminal = false }: { readonly isTerminal?: boolean } = {},
): Promise<ProcessResult> {
  return await capture(input, isTerminal, () => run(['node', 'cli', ...args], (task) => task({ get: app.get })));
}

/** Runs a command that needs no application in this process, with these variables. One at a time. */
export async function runCommandAlone(args: readonly string[], environment: Variables): Promise<ProcessResult> {
  const { env } = process;
  process.env = { ...environment };
  try {
    return await capture('', false, () => run(['node', 'cli', ...args]));
  } finally {
    process.env = env;
  }
}

async function capture(
  input: string | Buffer,
  isTerminal: boolean,
  command: () => Promise<void>,
): Promise<ProcessResult> {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      // Jest forces colors where it is itself at a terminal.
      output[name] += stripVTControlCharacters(String(text));
      return true;
    }),
  );
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  const hadTerminal = process.stderr.isTTY;
  process.stderr.isTTY = false;
  const value = Object.assign(Readable.from([input]), { isTTY: isTerminal });
  Object.defineProperty(process, 'stdin', { value, configurable: true });
  process.exitCode = 0;
  try {
    await command();
    return { code: process.exitCode, signal: null, ...output };
  } finally {
    process.exitCode = undefined;
    Object.defineProperty(process, 'stdin', stdin ?? { value: undefined, configurable: true });
    process.stderr.isTTY = hadTerminal;
    for (const spy of spies) spy.mockRestore();
  }
}
