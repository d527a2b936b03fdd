import type { Command } from 'commander';
import { pathOf } from '../../cli/guide.js';
import { leavesOf } from '../../cli/command-setup.js';
import { createProgram } from '../../cli/program.js';

/**
 * Parses a command line as a shell and the program would, without doing it.
 * @returns the command that would run
 * @throws Error naming what the program does not know
 */
export async function parseCommand(words: string): Promise<string> {
  const [typed = ''] = words.split(/ ?(?:<|>>?) /);
  const args = typed.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const program = createProgram();
  let found: Command | undefined;
  silence(program);
  for (const leaf of leavesOf(program)) leaf.action(() => void (found = leaf));
  await program.parseAsync(args, { from: 'user' });
  if (found === undefined) throw new Error(`There is no command ${words}`);
  return pathOf(found);
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  command.commands.forEach(silence);
}
