import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadConfig } from '../config/config.js';
import { adviseOnKeys, checkKeys } from './check-machine.js';

const FILE = '/var/lib/site/auth-keys.json';

it.each(['EACCES', 'EPERM'])(
  'nobody is told to remove keys that are another user’s, as after a restore: %s',
  (code) => {
    const error = Object.assign(new Error(`${code}: open '${FILE}'`), { code });
    expect(adviseOnKeys(error, FILE)).toBe(`Give ${FILE} to the user of the server (chown), who alone has to read it.`);
  },
);

it('who has lost the keys is told what it costs to go on without, before they remove what is left', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'auth-keys.json');
  writeFileSync(file, '{"keys": [');
  expect(await checkKeys(loadConfig({ DATA_DIR: folder }))).toMatchObject({
    level: 'fail',
    message: expect.stringContaining(`${file} is damaged`),
    advice: expect.stringMatching(/^Bring .* back from a copy\. Only where there is none, .*authenticator apps/),
  });
  const other = temporaryFolder();
  mkdirSync(join(other, 'auth-keys.json'));
  expect(await checkKeys(loadConfig({ DATA_DIR: other }))).toMatchObject({
    level: 'fail',
    advice: expect.stringMatching(/^Bring /),
  });
});
