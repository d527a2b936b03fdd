import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/config/project-root.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CLI = `node '${PROJECT_ROOT}/dist/cli.js'`;
const ESCAPE = '\x1b[';

/** Runs a script in a shell, in a folder without .env; one shell for several processes is the cheapest. */
function inShell(script: string, variables: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const env = {
    PATH: `${process.execPath.replace(/\/node$/, '')}:${PATH}`,
    HOME,
    TERM: 'xterm-256color',
    ...variables,
  };
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  return { stdout, stderr, status };
}

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});

describe('the command line at a terminal and elsewhere', () => {
  it('is plain where nobody sees colors, and says mistakes to the standard error alone', () => {
    const wrong = inShell(`${CLI} posts improt`);
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toContain("error: unknown command 'improt'\n(Did you mean import?)\nSee: ");
    expect(wrong.stderr).not.toContain(ESCAPE);
  });

  itSlow('has colors at a terminal, in help and in mistakes, unless NO_COLOR is set', () => {
    const script = `script -qec "${CLI} posts --help; ${CLI} posts improt" /dev/null </dev/null`;
    const shown = inShell(script);
    expect(shown.status).toBe(2);
    expect(shown.stdout).toContain(`${ESCAPE}1mUsage:`);
    expect(shown.stdout).toContain(`${ESCAPE}31merror: unknown command`);
    const plain = inShell(`script -qec "${CLI} --help" /dev/null </dev/null`, { NO_COLOR: '1' });
    expect(plain.stdout).toContain('Usage:');
    expect(plain.stdout).not.toContain(ESCAPE);
  });

  itSlow('ends well when its reader has gone', () => {
    const { stdout, stderr } = inShell(`${CLI} docs | true; echo "exit code \${PIPESTATUS[0]}"`);
    expect({ stdout, stderr }).toEqual({ stdout: 'exit code 0\n', stderr: '' });
  });

  itSlow('leaves nothing in the temporary folder that everybody shares', () => {
    const { stdout } = inShell(`${CLI} docs > /dev/null; ls -A "$TMPDIR"`, { TMPDIR: temporaryFolder() });
    expect(stdout).toBe('');
  });

  itSlow('ends with 2 at an error that nothing waits for, as 1 would say that the rest was done', () => {
    const failing = `process.stdout.write = () => { process.nextTick(() => { throw new Error('lost') }); return true }`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failing)}`;
    const { status, stderr } = inShell(`${CLI} --version`, { NODE_OPTIONS });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^Error: lost\n/) });
  });

  itSlow('says so when its output cannot be written', () => {
    const full = inShell(`${CLI} docs > /dev/full`);
    expect(full).toMatchObject({ status: 1, stdout: '' });
    expect(full.stderr).toMatch(/^Error: not everything could be printed: ENOSPC: [^\n]+\n$/);
    expect(inShell(`${CLI} posts improt 2> /dev/full`)).toEqual({ status: 2, stdout: '', stderr: '' });
  });
});
