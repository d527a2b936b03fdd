import { styleText } from 'node:util';
import type { Command } from 'commander';
import { paint } from './colours.js';
import { commandLine } from './guide.js';

/** What every command has in common; for a program that has no commands yet, which take it over from it. */
export function prepareProgram(program: Command): Command {
  return program
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(paint('bad', text, process.stderr)) })
    .configureHelp({
      // Commander itself leaves the colours out where nothing shows them.
      styleTitle: (text) => styleText('bold', text, { validateStream: false }),
      styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleSubcommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleOptionText: (text) => styleText('green', text, { validateStream: false }),
      styleArgumentText: (text) => styleText('yellow', text, { validateStream: false }),
    });
}

/** Lets every mistake in a command line end with the help that belongs to it; for a program with all its commands. */
export function pointToHelp(command: Command): void {
  command.showHelpAfterError(`See: ${commandLine(command, '--help')}`);
  command.commands.forEach(pointToHelp);
}

/** Every command that does something, in the order in which they were made. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}
