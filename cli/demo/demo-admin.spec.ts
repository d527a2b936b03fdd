import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { readOrMakeAdmin } from './demo-admin.js';

it('the administrator of the demo is the same at every start, and another one where the file was never whole', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'demo-admin.json');
  const made = readOrMakeAdmin(file);
  expect(readOrMakeAdmin(file)).toEqual(made);
  for (const half of ['', '{"email": "admin@example.com", "pass', '{"email": "admin@example.com"}', 'null']) {
    writeFileSync(file, half);
    const again = readOrMakeAdmin(file);
    expect(again).toEqual({ email: 'admin@example.com', password: expect.stringMatching(/^[\w-]{16}$/) });
    expect(again.password).not.toBe(made.password);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(again);
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['demo-admin.json']);
});
