import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { listAccountSettings } from './account-settings.js';

const SECRET = 'a secret of at least thirty-two characters';

describe('listAccountSettings', () => {
  it('tells each value and where it comes from, and no secret', () => {
    const folder = temporaryFolder();
    const secretFile = join(folder, 'token-secret');
    writeFileSync(secretFile, `${SECRET}\n`);
    const inFile = ['AUTH_JWT_EXP=60', 'AUTH_DISABLE_SIGNUP=true', 'AUTH_SMS_TEST_OTP=4915:123456', 'AUTH_OTP_LENGTH='];
    writeFileSync(join(folder, '.env'), inFile.join('\n'));
    const own = {
      ...{ PUBLIC_URL: 'https://site.example', AUTH_JWT_EXP: '90', AUTH_JWT_SECRET: SECRET },
      ...{ AUTH_TOKEN_SECRET_FILE: secretFile, AUTH_REDIRECT_URLS: 'myapp://a, https://b.example/**' },
    };
    const settings = listAccountSettings(own, folder);
    const found = Object.fromEntries(settings.map(({ name, value, origin }) => [name, [value, origin]]));
    expect(found).toMatchObject({
      AUTH_JWT_EXP: ['90', 'environment'],
      AUTH_DISABLE_SIGNUP: ['true', '.env'],
      AUTH_OTP_LENGTH: ['6', 'default'],
      AUTH_EXTERNAL_URL: ['https://site.example/auth/v1', 'default'],
      AUTH_REDIRECT_URLS: ['myapp://a, https://b.example/**', 'environment'],
      AUTH_ADMIN_ROLES: ['service_role, supabase_admin', 'default'],
      AUTH_RATE_LIMIT_MAIL_KEPT: ['10', 'default'],
      AUTH_JWT_KEYS: ['', 'default'],
      AUTH_JWT_SECRET: ['(secret)', 'environment'],
      AUTH_SMS_TEST_OTP: ['(secret)', '.env'],
      AUTH_TOKEN_SECRET: ['(secret)', `file ${secretFile}`],
    });
    expect(JSON.stringify(settings)).not.toMatch(/thirty-two|123456/);
    expect(
      Object.fromEntries(listAccountSettings({}, '/dev/null').map(({ name, value }) => [name, value])),
    ).toMatchObject({
      AUTH_JWT_KEYS: 'generated',
      AUTH_TOKEN_SECRET: 'generated',
    });
  });
});
