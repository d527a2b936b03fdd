import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import type { Command } from 'commander';
import { PRODUCT_VERSION } from '../src/config/version.js';
import { renderCommandDocs } from './command-docs.js';
import { confirm } from './confirm.js';
import { EXIT_CODES, InterruptedError } from './exit-codes.js';
import { guideOf, pathOf, type Example } from './guide.js';
import { leavesOf } from './command-setup.js';
import { createProgram, run } from './program.js';
import { readNewPassword } from './read-password.js';

const leaves = leavesOf(createProgram()).filter((command) => command.name() !== 'docs');
const examples = leaves.flatMap((leaf) =>
  (guideOf(leaf)?.examples ?? []).map((example) => [pathOf(leaf), example] as const),
);

/** Parses what follows a command, as a shell and the program would, without doing it. */
async function parse(path: string, words: string): Promise<void> {
  const leaf = leavesOf(createProgram().configureOutput({ writeErr: () => undefined })).find(
    (command) => pathOf(command) === path,
  );
  const [typed = ''] = words.split(/ ?(?:<|>>?) /);
  const args = typed.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const handle = jest.fn<() => void>();
  await leaf
    ?.configureOutput({ writeErr: () => undefined })
    .action(handle)
    .parseAsync(args, { from: 'user' });
  expect(handle).toHaveBeenCalledTimes(1);
}

/** Runs a command line that comes to nothing before it needs the application. */
async function runWrong(...args: string[]) {
  let stderr = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text).replace(/\x1b\[\d+m/g, '');
    return true;
  });
  await run(['node', 'cli', ...args], () => Promise.reject(new Error('It was not wrong')));
  spy.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, stderr };
}

describe('every command', () => {
  it('has a description, and an example of each of its ways', () => {
    const silent = (command: Command) => command.description() === '' || (guideOf(command)?.examples.length ?? 0) === 0;
    expect(leaves.filter(silent).map(pathOf)).toEqual([]);
    const nameless = leaves.flatMap((leaf) =>
      [...leaf.options, ...leaf.registeredArguments].filter((term) => !term.description),
    );
    expect(nameless.map((term) => term.name())).toEqual([]);
  });

  it.each(examples)('understands its own example: %s %j', async (path, [words, explanation]: Example) => {
    await parse(path, words);
    expect(explanation).toMatch(/[^.]$/);
  });

  it('is in docs/cli.md as it is: npm run -s cli -- docs > docs/cli.md', () => {
    const file = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8');
    expect(file).toBe(renderCommandDocs(createProgram()));
  });
});

describe('--version', () => {
  it('is that of the product, without anything being started', async () => {
    let stdout = '';
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += String(text);
      return true;
    });
    await run(['node', 'cli', '--version'], () => Promise.reject(new Error('It was started')));
    spy.mockRestore();
    expect([stdout, process.exitCode]).toEqual([`${PRODUCT_VERSION}\n`, 0]);
    process.exitCode = undefined;
  });
});

describe('a mistake in the command line', () => {
  it.each([
    [['post'], "unknown command 'post'\n(Did you mean posts?)", ''],
    [['posts', 'improt'], "unknown command 'improt'\n(Did you mean import?)", 'posts '],
    [['auth', 'keys', 'promot'], "unknown command 'promot'\n(Did you mean promote?)", 'auth keys '],
    [['posts', 'import', '.', '--dryrun'], "unknown option '--dryrun'\n(Did you mean --dry-run?)", 'posts import '],
    [['posts', 'import'], "missing required argument 'path'", 'posts import '],
    [
      ['posts', 'list', 'x', 'y'],
      "too many arguments for 'list'. Expected 0 arguments but got 2: x, y.",
      'posts list ',
    ],
    [['enquiries', 'list', '--state', 'x'], "argument 'x' is invalid. Allowed choices are", 'enquiries list '],
    [
      ['audit', 'list', '--type', 'posts'],
      "argument 'posts' is invalid. Allowed choices are post, user",
      'audit list ',
    ],
    [['audit', 'list', '--limit', 'x'], 'It is a whole number from 1.', 'audit list '],
    [['audit', 'list', '--limit'], "option '--limit <number>' argument missing", 'audit list '],
    [['privacy', 'export'], "required option '--email <address>' not specified", 'privacy export '],
    [['users', 'delete', 'a@b.c'], 'give --yes if you are sure', 'users delete '],
    [['comments', 'remove', 'a-post', '17', '--all'], 'by their ids, or give --all', 'comments remove '],
    [
      ['posts', 'import', '.', '--no-fetch', '--allow-private-host', 'wiki'],
      "option '--allow-private-host <name...>' cannot be used with option '--no-fetch'",
      'posts import ',
    ],
    [
      ['media', 'repair', '--no-fetch', '--allow-private-host', 'wiki'],
      "option '--allow-private-host <name...>' cannot be used with option '--no-fetch'",
      'media repair ',
    ],
  ])('is named, with what was meant and where it is explained: %j', async (args, message, path) => {
    const { code, stderr } = await runWrong(...args);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(new RegExp(`\\nSee: npm run cli -- ${path}--help\\n$`));
    expect(code).toBe(EXIT_CODES.nothingDone);
  });

  it.each([
    [['posts', 'delete', '--tag', 'Old', '--tag', 'News', '--yes'], '--tag <tag>'],
    [['posts', 'publish', '--status=draft', '--status', 'draft'], '--status <status>'],
    [['posts', 'unpublish', '--after', '2026-01-31', '--after', '2026-02-28'], '--after <date>'],
    [['posts', 'search-replace', 'a', 'b', '--in', 'text', '--in', 'title'], '--in <parts>'],
    [['enquiries', 'export', '--search', 'printer', '--search', 'screen'], '--search <words>'],
    [['audit', 'list', '--limit', '10', '--limit', '20'], '--limit <number>'],
  ])('is an option of one value that is given twice, of which the last would count: %j', async (args, flags) => {
    const { code, stderr } = await runWrong(...args);
    expect(code).toBe(EXIT_CODES.nothingDone);
    expect(stderr.split('\n')[0]).toBe(`error: option '${flags}' was given twice`);
  });

  it.each([
    ['posts export', 'posts.json --tag a --tag b --force --force'],
    ['posts import', '. --map-author a=b --map-author c=d --map-tag a=b --map-tag c=d --only a --only b'],
  ])('is none of the options that may be given more than once: %s %s', parse);

  it.each([
    [['posts', 'import', ''], "error: argument 'path' is empty"],
    [['posts', 'export', ''], "error: argument 'destination' is empty"],
    [['backup', 'create', ''], "error: argument 'file' is empty"],
    [['backup', 'prune', ''], "error: argument 'folder' is empty"],
    [['enquiries', 'export', '--output', ''], "error: option '--output <file>' is empty"],
  ])('is an empty path, such as of a variable that is not set: %j', async (args, message) => {
    const { code, stderr } = await runWrong(...args);
    expect(code).toBe(EXIT_CODES.nothingDone);
    expect(stderr.split('\n')[0]).toBe(message);
  });

  it('is a group without its command: the help says which there are', async () => {
    const { code, stderr } = await runWrong('posts');
    expect(stderr).toMatch(/^Usage: npm run cli -- posts [\s\S]*\n {2}import /);
    expect(code).toBe(EXIT_CODES.nothingDone);
  });
});

describe('a question', () => {
  /** A terminal at which a person types. */
  async function type(keys: string, ask: () => Promise<unknown>): Promise<unknown> {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
    Object.defineProperty(process, 'stdin', { value: terminal, configurable: true });
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const answer = ask();
    terminal.write(keys);
    try {
      return await answer;
    } finally {
      if (stdin) Object.defineProperty(process, 'stdin', stdin);
    }
  }

  it('is agreed to by yes alone; the end of the input says no', async () => {
    expect(await type('yes\r', () => confirm('Really?'))).toBe(true);
    expect(await type('y\r', () => confirm('Really?'))).toBe(false);
    expect(await type('\x04', () => confirm('Really?'))).toBe(false);
  });

  it('ends everything at Ctrl+C, with the exit code of that', async () => {
    await expect(type('\x03', () => confirm('Really?'))).rejects.toThrow(InterruptedError);
    await expect(type('\x03', readNewPassword)).rejects.toThrow(InterruptedError);
    await type('\x03', () =>
      run(['node', 'cli', 'users', 'create', 'anna@example.com'], () => Promise.reject(new Error())),
    );
    expect(process.exitCode).toBe(EXIT_CODES.interrupted);
    process.exitCode = undefined;
  });
});
