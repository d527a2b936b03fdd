import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createProgram } from '../program.js';
import { renderBash } from './bash-script.js';
import { treeOf } from './command-tree.js';
import { renderFish } from './fish-script.js';
import { renderZsh } from './zsh-script.js';

// A name that a shell would take apart, if it were not quoted.
const folder = join(temporaryFolder(), "it's a $site");
const site = { name: 'site', folder };

beforeAll(() => {
  mkdirSync(join(folder, 'blog'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  for (const name of ['backup.tar', 'big file.tar']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'dist/cli.js'), 'console.log(process.cwd(), process.argv.slice(2).join())');
});

function sampleProgram(): Command {
  const program = new Command();
  const posts = program.command('posts').description("the blog's posts");
  posts
    .command('import')
    .argument('<path>')
    .option('--assets <folder>')
    .option('-n, --dry-run')
    .option('--author <name>')
    .addOption(new Option('--secret').hideHelp())
    .addOption(new Option('--format <format>').choices(['csv', 'json']));
  posts.command('publish').argument('[slug...]');
  const roles = program.command('roles');
  roles
    .command('grant')
    .argument('<user>')
    .addArgument(new Argument('<role>').choices(['admin', 'author']));
  program.command('verify').argument('<file...>');
  program.command('internal', { hidden: true });
  return program;
}

/** Completes the end of each line in bash, with one bash for all of them. */
function completeInBash(lines: readonly (readonly string[])[]): string[][] {
  const asks = lines.map(
    (words) => `COMP_WORDS=(site ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
      _complete_site; printf '%s|' "\${COMPREPLY[@]}"; echo`,
  );
  const script = [renderBash(treeOf(sampleProgram()), site), ...asks].join('\n');
  const output = execFileSync('bash', ['--norc', '-euc', script], { encoding: 'utf8' });
  return output
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .filter((word) => word !== '')
        .sort(),
    );
}

const cases: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [[''], ['posts ', 'roles ', 'verify ']],
  [['p'], ['posts ']],
  [
    ['posts', ''],
    ['import ', 'publish '],
  ],
  [['posts', 'im'], ['import ']],
  [['posts', '--'], ['--help ']],
  [
    ['posts', 'import', '-'],
    ['--assets ', '--author ', '--dry-run ', '--format ', '--help ', '-n '],
  ],
  [
    ['posts', 'import', 'b'],
    ['backup.tar ', 'big\\ file.tar ', 'blog/'],
  ],
  [['posts', 'import', 'big\\ f'], ['big\\ file.tar ']],
  [['posts', 'import', '--dry-run', 'bl'], ['blog/']],
  [
    ['posts', 'import', '--assets', ''],
    ['blog/', 'dist/'],
  ],
  [['posts', 'import', '--author', ''], []],
  [['posts', 'import', '--author', 'posts', 'bl'], ['blog/']],
  [
    ['posts', 'import', '--format', ''],
    ['csv ', 'json '],
  ],
  [['posts', 'import', '--format', '=', 'j'], ['json ']],
  [
    ['posts', 'import', '--format', '='],
    ['csv ', 'json '],
  ],
  [['posts', 'import', 'one', ''], []],
  [['posts', 'publish', 'a', 'b', ''], []],
  [['roles', 'grant', ''], []],
  [
    ['roles', 'grant', 'someone', 'a'],
    ['admin ', 'author '],
  ],
  [['verify', 'backup.tar', 'big'], ['big\\ file.tar ']],
  [['verify', '--', '-'], []],
  [
    ['nonsense', ''],
    ['posts ', 'roles ', 'verify '],
  ],
];

describe('completion', () => {
  it('offers bash what may follow: commands, options, choices, files of the site', () => {
    const offered = completeInBash(cases.map(([words]) => words));
    expect(cases.map(([words], index) => [words, offered[index]])).toEqual(cases);
  });

  it('gives bash the command, unless there is one already', () => {
    const script = renderBash(treeOf(sampleProgram()), site);
    const run = (...before: string[]) =>
      execFileSync('bash', ['--norc', '-euc', [...before, script, 'site posts "a b"'].join('\n')], {
        encoding: 'utf8',
      });
    expect(run()).toBe(`${folder} posts,a b\n`);
    expect(run('site() { echo mine; }')).toBe('mine\n');
  });

  it('knows every command of the product that is shown, in each shell', () => {
    const tree = treeOf(createProgram());
    const paths = tree.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['', 'posts', 'posts import', 'auth keys promote', 'completion']));
    expect(paths).not.toContain('docs');
    for (const render of [renderBash, renderZsh, renderFish]) {
      const script = render(tree, site);
      for (const path of paths) expect(script).toContain(`'${path}'`);
    }
    execFileSync('bash', ['-n', '-c', renderBash(tree, site)]);
  });
});
