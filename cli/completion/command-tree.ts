import type { Argument, Command, Option } from 'commander';
import { leavesOf } from '../command-setup.js';
import { pathOf } from '../guide.js';

/** The values at one place of a command line: fixed words, files, folders, or a word that only the operator knows. */
export type Value = readonly string[] | 'file' | 'folder' | 'word';

/** An option as shells complete it; a value is null where none follows. */
export interface OptionNode {
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Value | null;
}

/** A command and the words that may follow it. */
export interface CommandNode {
  /** The words that lead to it, without the program's own; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionNode[];
  readonly arguments: readonly { readonly value: Value; readonly isVariadic: boolean }[];
}

const FILE = /^(?:file|path)$/;
const FOLDER = /^folder$/;
const HELP: OptionNode = { flags: ['--help'], description: 'explain the command', value: null };

/** The program and every command that its help shows. Arguments called file, path or folder are names of such. */
export function treeOf(program: Command): readonly CommandNode[] {
  return [...new Set(leavesOf(program).flatMap(ancestry))]
    .filter((command) => isShown(command))
    .map((command) => ({
      path: pathOf(command),
      commands: command.commands.filter(isShown).map((child) => ({
        name: child.name(),
        description: child.description(),
      })),
      options: [...command.options.filter(({ hidden }) => !hidden).map(toOption), HELP],
      arguments: command.registeredArguments.map((argument) => ({
        value: valueOf(argument, argument.name()),
        isVariadic: argument.variadic,
      })),
    }));
}

function ancestry(command: Command): Command[] {
  return command.parent === null ? [command] : [...ancestry(command.parent), command];
}

function isShown(command: Command): boolean {
  return command.parent === null || command.parent.createHelp().visibleCommands(command.parent).includes(command);
}

function toOption(option: Option): OptionNode {
  const name = /[<[]([\w-]+)/.exec(option.flags)?.[1];
  return {
    flags: [option.long, option.short].filter((flag) => flag !== undefined),
    description: option.description,
    value: name === undefined ? null : valueOf(option, name),
  };
}

function valueOf({ argChoices }: Option | Argument, name: string): Value {
  if (argChoices !== undefined) return argChoices;
  if (FILE.test(name)) return 'file';
  return FOLDER.test(name) ? 'folder' : 'word';
}
