import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const FITTING = { os: [process.platform], cpu: [process.arch] };
const LOCK = {
  '': { optionalDependencies: { 'node-here': '1.0.0', 'node-elsewhere': '1.0.0' } },
  'node_modules/server': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/tests': { version: '1.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/node-here': { version: '1.0.0', integrity: 'sha512-c', optional: true, ...FITTING },
  'node_modules/node-elsewhere': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['none'] },
  'node_modules/faster-here': { version: '1.0.0', optional: true, ...FITTING },
};
const { '': _, 'node_modules/node-elsewhere': __, 'node_modules/faster-here': ___, ...AFTER_CI } = LOCK;
const { 'node_modules/tests': ____, ...WITHOUT_TESTS } = AFTER_CI;

/** Notes how it was called, and where it is asked to, ends when it may. */
const NPM = '#!/bin/sh\necho "$@" >> "$CALLS"\nwhile [ -n "$GO" ] && [ ! -e "$GO" ]; do sleep 0.05; done\n';

let folder: string;

const put = (path: string, packages: object) => writeFileSync(join(folder, path), JSON.stringify({ packages }));
const putInstalled = (packages: object) => put('node_modules/.package-lock.json', packages);

/** Runs the script with an npm that installs what it is told, and returns how it was called. */
function ensureInstall(...options: readonly string[]): string[] {
  const calls = join(folder, 'calls');
  rmSync(calls, { force: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/tools/ensure-install.mjs'), ...options], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, CALLS: calls },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

/** Starts the script, and goes on at once. */
function startInstall(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(folder, 'cli/tools/ensure-install.mjs')], { env });
  let heard = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { ended, heard: () => heard };
}

describe('the check before every script', () => {
  beforeEach(() => {
    folder = temporaryFolder();
    for (const path of ['bin', 'cli/tools', 'node_modules']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
    for (const name of ['build-stamp.mjs', 'ensure-install.mjs', 'installed-packages.mjs']) {
      copyFileSync(join('cli/tools', name), join(folder, 'cli/tools', name));
    }
    put('package-lock.json', LOCK);
  });

  it('installs nothing after npm ci, nor when asked again', () => {
    putInstalled(AFTER_CI);
    for (const options of [[], ['--production'], []]) expect(ensureInstall(...options)).toEqual([]);
  });

  it('installs the tools of tests only when they are wanted and absent', () => {
    putInstalled(WITHOUT_TESTS);
    expect(ensureInstall('--production')).toEqual([]);
    expect(ensureInstall()).toEqual(['ci --no-audit --no-fund --loglevel=error']);
    expect(ensureInstall()).toEqual([]);
  });

  it.each([
    ['nothing is installed', undefined],
    ['a package is of another version', { ...AFTER_CI, 'node_modules/server': { version: '1.0.1' } }],
    [
      'a package has other contents',
      { ...AFTER_CI, 'node_modules/server': { version: '1.0.0', integrity: 'sha512-d' } },
    ],
    ['a package is absent', { ...AFTER_CI, 'node_modules/server': undefined }],
    ['its own Node is absent', { ...AFTER_CI, 'node_modules/node-here': undefined }],
    ['there is a package that nobody named', { ...AFTER_CI, 'node_modules/extra': { version: '1.0.0' } }],
  ])('installs everything when %s', (_case, installed) => {
    if (installed !== undefined) putInstalled(installed);
    expect(ensureInstall()).toHaveLength(1);
    expect(ensureInstall()).toEqual([]);
    put('package-lock.json', { ...LOCK, 'node_modules/added': { version: '1.0.0' } });
    expect(ensureInstall()).toHaveLength(1);
  });

  it('takes half a stamp, as of a full disk, for none', () => {
    putInstalled(AFTER_CI);
    writeFileSync(join(folder, 'node_modules/.install-stamp.json'), '{"lock":"');
    expect(ensureInstall()).toEqual([]);
    rmSync(join(folder, 'node_modules/.package-lock.json'));
    writeFileSync(join(folder, 'node_modules/.install-stamp.json'), '');
    expect(ensureInstall()).toHaveLength(1);
    expect(ensureInstall()).toEqual([]);
  });

  it('waits for another one that installs, and has nothing left to do then', async () => {
    const [calls, go] = [join(folder, 'calls'), join(folder, 'go')];
    const environment = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, CALLS: calls, GO: go };
    const first = startInstall(environment);
    await until(() => existsSync(calls));
    const second = startInstall(environment);
    await until(() => /waiting|Installing/.test(second.heard()));
    writeFileSync(go, '');
    expect([await first.ended, first.heard()]).toEqual([0, 'Installing packages ...\n']);
    const waiting = 'Another process installs packages or builds: waiting for it ...\n';
    expect([await second.ended, second.heard()]).toEqual([0, waiting]);
    expect(readFileSync(calls, 'utf8')).toBe('ci --no-audit --no-fund --loglevel=error\n');
    expect(readdirSync(folder)).not.toContain('.build.lock');
  });

  it('says so where there is no npm', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli/tools/ensure-install.mjs')], {
      encoding: 'utf8',
      env: { PATH: join(folder, 'cli') },
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'Installing packages ...\nnpm, which installs the packages, could not be started: spawn npm ENOENT\n',
    });
    expect(readdirSync(folder)).not.toContain('.build.lock');
  });
});

describe('npm run cli', () => {
  /** Runs the script as npm does, with these in the places of what it calls first. */
  function runScript(install: string, build: string) {
    const site = temporaryFolder();
    for (const path of ['cli/tools', 'dist']) mkdirSync(join(site, path), { recursive: true });
    writeFileSync(join(site, 'cli/tools/ensure-install.mjs'), install);
    writeFileSync(join(site, 'cli/tools/ensure-build.mjs'), build);
    writeFileSync(join(site, 'dist/cli.js'), 'console.log(process.argv.slice(2).join()); process.exitCode = 1;');
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { cli: string } };
    const { status, stdout } = spawnSync('sh', ['-c', `${scripts.cli} backup create`], {
      cwd: site,
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
    });
    return { status, stdout };
  }

  it('ends with 2 where packages or the build fail, as 1 says that something was done', () => {
    expect(runScript('process.exit(1);', '')).toEqual({ status: 2, stdout: '' });
    expect(runScript('', 'process.exit(1);')).toEqual({ status: 2, stdout: '' });
    expect(runScript('', '')).toEqual({ status: 1, stdout: 'backup,create\n' });
  });
});
