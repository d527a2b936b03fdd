import fs, { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { loadGeneratedSecrets } from '../../src/auth/keys/generated-secrets.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Lets no file have a second name, as in a folder of another machine (SMB); `before` is what others do meanwhile. */
function forbidLinks(before: () => void = () => undefined) {
  const link = jest.spyOn(fs, 'linkSync').mockImplementation(() => {
    before();
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  return link;
}

afterEach(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('the keys that the product makes', () => {
  it('are kept where a file can have one name only, for their owner alone', () => {
    const folder = temporaryFolder();
    const link = forbidLinks();
    const made = loadGeneratedSecrets(folder);
    expect(link).toHaveBeenCalledTimes(1);
    expect(readdirSync(folder)).toEqual(['auth-keys.json']);
    const file = join(folder, 'auth-keys.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadGeneratedSecrets(folder)).toEqual(made);
  });

  it('are there those of whoever was first as well', () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    const first = loadGeneratedSecrets(other);
    forbidLinks(() => writeFileSync(join(folder, 'auth-keys.json'), JSON.stringify(first), { mode: 0o600 }));
    expect(loadGeneratedSecrets(folder)).toEqual(first);
    expect(readdirSync(folder)).toEqual(['auth-keys.json']);
  });
});
