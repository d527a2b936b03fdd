import { styleText } from 'node:util';
import type { Command, Option } from 'commander';
import { paint } from './colors.js';
import { commandLine } from './guide.js';
import { RepeatableOption } from './repeatable-option.js';

/** Sets up suggestions, errors and colors of help. For a program without commands yet: they inherit it. */
export function prepareProgram(program: Command): Command {
  return (
    program
      .showSuggestionAfterError()
      .exitOverride()
      // A command with options may have subcommands with the same ones: what follows these is theirs.
      .enablePositionalOptions()
      .hook('preAction', (_program, command) => refuseEmptyPaths(command))
      .configureOutput({ outputError: (text, write) => write(paint('bad', text, process.stderr)) })
      .configureHelp({
        // Commander itself leaves the colors out where nothing shows them.
        styleTitle: (text) => styleText('bold', text, { validateStream: false }),
        styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
        styleSubcommandText: (text) => styleText('cyan', text, { validateStream: false }),
        styleOptionText: (text) => styleText('green', text, { validateStream: false }),
        styleArgumentText: (text) => styleText('yellow', text, { validateStream: false }),
      })
  );
}

const PATH_NAME = /^(?:file|path|folder|destination)$/;

/** An empty path is a variable of a script that is not set, and would mean the folder of the site. */
function refuseEmptyPaths(command: Command): void {
  command.registeredArguments.forEach((argument, index) => {
    if (PATH_NAME.test(argument.name()) && command.processedArgs[index] === '') {
      command.error(`error: argument '${argument.name()}' is empty`);
    }
  });
  for (const option of command.options) {
    const name = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '';
    if (PATH_NAME.test(name) && command.getOptionValue(option.attributeName()) === '') {
      command.error(`error: option '${option.flags}' is empty`);
    }
  }
}

/**
 * Refuses options of one value that are given twice: only the last would count, in silence, and `posts delete` would
 * take more than was meant. For a program with all its commands.
 */
export function refuseRepeatedOptions(command: Command): void {
  for (const option of command.options.filter(takesOneValue)) {
    const { parseArg } = option;
    option.argParser((value: string, previous: unknown) => {
      if (command.getOptionValueSource(option.attributeName()) === 'cli') {
        command.error(`error: option '${option.flags}' was given twice`);
      }
      return parseArg === undefined ? value : parseArg(value, previous);
    });
  }
  command.commands.forEach(refuseRepeatedOptions);
}

function takesOneValue(option: Option): boolean {
  return (option.required || option.optional) && !option.variadic && !(option instanceof RepeatableOption);
}

/** Points every mistake in a command line to the help of its command. For a program with all its commands. */
export function pointToHelp(command: Command): void {
  command.showHelpAfterError(`See: ${commandLine(command, '--help')}`);
  command.commands.forEach(pointToHelp);
}

/**
 * Returns the commands that do something, in the order of their creation: those that have no subcommands, and those
 * that take an argument beside them.
 */
export function leavesOf(command: Command): Command[] {
  if (command.commands.length === 0) return [command];
  const leaves = command.commands.flatMap(leavesOf);
  return command.registeredArguments.length === 0 ? leaves : [command, ...leaves];
}
