import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

describe('package-lock.json', () => {
  it('names the binaries of every system, or npm ci refuses it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['cli/tools/complete-lockfile.mjs', '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
