import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

describe('npm start', () => {
  let folder: string;

  beforeEach(() => {
    folder = join(temporaryFolder(), 'the site of us');
    mkdirSync(join(folder, 'cli/tools'), { recursive: true });
    copyFileSync('cli/tools/start.sh', join(folder, 'cli/tools/start.sh'));
  });

  /** As systemd does, from another folder. */
  const start = (...args: readonly string[]) =>
    spawnSync('sh', [join(folder, 'cli/tools/start.sh'), ...args], { cwd: '/', encoding: 'utf8' });

  it.each([
    [[], 'dist/server.js'],
    [['dist/cli.js', 'demo'], 'dist/cli.js'],
  ])('says what is to be done first where nothing was built: %p', (args, file) => {
    expect(start(...args)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `There is no ${join(folder, file)}: run npm run build in that folder first.\n`,
    });
  });

  it('starts what is there, with the Node of the packages, in the folder of the site, whatever it is called', () => {
    mkdirSync(join(folder, 'dist'));
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
    writeFileSync(join(folder, 'dist/server.js'), 'process.stdout.write(process.cwd() + process.argv.slice(2))');
    expect(start()).toMatchObject({ status: 0, stdout: folder, stderr: '' });
  });
});
