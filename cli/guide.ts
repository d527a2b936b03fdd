import { styleText } from 'node:util';
import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.js';

/** The rest of a command line, which may end with `> file` or `< file`, and its purpose. */
export type Example = readonly [words: string, explanation: string];

/** The documentation of a command beside its arguments and options, for `--help` and docs/cli.md. */
export interface Guide {
  readonly examples: readonly Example[];
  /** Whole sentences that one should know before using the command. */
  readonly remarks?: string;
  /** Meaning of exit code 1; absent for a command with a single task, which is done or not. */
  readonly partly?: string;
}

/** How an operator calls the command line; also the first words of every usage and example. */
export const PROGRAM_NAME = 'npm run cli --';

const REMARK_WIDTH = 116;
const guides = new WeakMap<Command, Guide>();

/** Shows a guide after the command's `--help`, and keeps it for `guideOf`. */
export function guide(command: Command, content: Guide): Command {
  guides.set(command, content);
  return command.addHelpText('after', ({ command: shown }) => formatGuide(shown, content));
}

/** The guide of a command; every command that does something has one, as a test proves. */
export function guideOf(command: Command): Guide | null {
  return guides.get(command) ?? null;
}

/** The words that lead to a command, without the program's own: `posts import`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  if (parent === null) return '';
  return `${pathOf(parent)} ${command.name()}`.trimStart();
}

/** Returns a whole line to type. Where a program reads the output, npm is told to be silent. */
export function commandLine(command: Command, words: string): string {
  const isForPrograms = /(?:^| )(?:>|\|)|--json/.test(words);
  const program = isForPrograms ? PROGRAM_NAME.replace('run', 'run -s') : PROGRAM_NAME;
  return [program, pathOf(command), words].filter((part) => part !== '').join(' ');
}

/** Explains the exit codes of a command, in ascending order. */
export function exitCodesOf({ partly }: Guide): readonly (readonly [code: number, meaning: string])[] {
  return [
    [EXIT_CODES.allWell, 'all is well'],
    ...(partly === undefined ? [] : [[EXIT_CODES.someRefused, partly] as const]),
    [EXIT_CODES.nothingDone, 'nothing could be done, or it broke off: the output says what was done until then'],
  ];
}

/** Commander itself leaves the colors out where nothing shows them. */
function formatGuide(command: Command, content: Guide): string {
  const { examples, remarks } = content;
  const codes = exitCodesOf(content).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    ...(remarks === undefined ? [] : ['', ...wrap(remarks)]),
    '',
    styleText('bold', 'Examples:', { validateStream: false }),
    ...examples.flatMap(([words, explanation]) => [`  ${explanation}`, `  $ ${commandLine(command, words)}`]),
    '',
    `Exit codes: ${codes.join(', ')}.`,
  ].join('\n');
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length < REMARK_WIDTH) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
