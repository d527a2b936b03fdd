import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The beginning of a script that writes its process id, and ends when it is told to. */
const NOTE = (name: string) => `require('fs').writeFileSync('${name}.pid', String(process.pid));`;
const FOREVER = `setInterval(() => {}, 1000);`;
/** A line that waits for a file; `existsSync` is imported before. */
const waitFor = (file: string) =>
  `while (!existsSync('${file}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);`;

let folder: string;

/** What the parts of `npm test` do: scripts of the place of the build, of the checks, and of `npm run test:jest`. */
function put(parts: { readonly build?: string; readonly check?: string; readonly jest?: string }): void {
  const { build = '', check = '', jest = '' } = parts;
  writeFileSync(join(folder, 'cli/tools/ensure-build.mjs'), build);
  writeFileSync(join(folder, 'cli/tools/check.mjs'), check);
  writeFileSync(join(folder, 'bin/npm'), `#!${process.execPath}\n${jest}`, { mode: 0o755 });
}

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(folder, 'cli/tools/test.mjs'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  onCleanup(() => void child.kill('SIGKILL'));
  return { child, ended };
}

const isRunning = (name: string) => {
  try {
    const pid = Number(readFileSync(join(folder, `${name}.pid`), 'utf8'));
    // Number 0 would be this process and its group.
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('npm test', () => {
  beforeEach(() => {
    folder = temporaryFolder();
    for (const path of ['bin', 'cli/tools']) mkdirSync(join(folder, path), { recursive: true });
    copyFileSync('cli/tools/test.mjs', join(folder, 'cli/tools/test.mjs'));
    // Or one of a folder above would say how to read a script without an ending.
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  });

  it('hands its arguments to jest, and is green when everything is', async () => {
    put({ check: `console.error('fine');`, jest: `console.log(process.argv.slice(2).join(' '));` });
    const { code, output } = await start('--selectProjects', 'unit').ended;
    expect({ code, output }).toEqual({ code: 0, output: 'run -s test:jest -- --selectProjects unit\nfine\n' });
  });

  it('says at the end what the checks found before, and is red', async () => {
    const whenChecked = `const { existsSync } = require('fs'); ${waitFor('checked')}`;
    put({
      check: `console.error('2 problems'); import('fs').then((fs) => fs.writeFileSync('checked', '')); process.exitCode = 1;`,
      jest: `${whenChecked} console.log('tests pass');`,
    });
    expect(await start().ended).toEqual({ code: 1, output: 'tests pass\n2 problems\n' });
  });

  it('is red when tests fail, and says what the checks found after them', async () => {
    const whenTested = `import { existsSync } from 'fs'; ${waitFor('tested')}`;
    put({
      check: `${whenTested} console.error('fine');`,
      jest: `require('fs').writeFileSync('tested', ''); console.log('1 failed'); process.exitCode = 3;`,
    });
    expect(await start().ended).toEqual({ code: 3, output: '1 failed\nfine\n' });
  });

  it('tests nothing that could not be built', async () => {
    put({ build: `console.error('no build'); process.exitCode = 1;`, jest: NOTE('jest') });
    expect(await start().ended).toEqual({ code: 1, output: 'no build\n' });
    expect(existsSync(join(folder, 'jest.pid'))).toBe(false);
  });

  it('leaves nothing behind when it is ended', async () => {
    const note = (name: string) =>
      `import { writeFileSync } from 'fs'; writeFileSync('${name}.pid', String(process.pid));`;
    put({ check: `${note('check')} ${FOREVER}`, jest: `${NOTE('jest')} ${FOREVER}` });
    const { child, ended } = start();
    await until(() => isRunning('check') && isRunning('jest'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect([isRunning('check'), isRunning('jest')]).toEqual([false, false]);
  });
});
