import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ConfigError, loadConfig } from './config.js';
import { demoAdminFile, isOverDemo, loadDemoConfig } from './demo.js';

describe('the configuration of the demo', () => {
  it('takes port, folder and mail server of the shell', () => {
    const { server, dataDir, mail } = loadDemoConfig({ PORT: '8080', DATA_DIR: '/srv/demo', SMTP_URL: 'smtp://mail' });
    expect(server).toMatchObject({ port: 8080, publicUrl: 'http://localhost:8080' });
    expect([dataDir, mail.transport.kind]).toEqual(['/srv/demo', 'smtp']);
  });

  it('takes a blank variable for a missing one', () => {
    const blank = { PORT: ' ', SMTP_URL: '  ', SMTP_URL_FILE: '', SITE_EMAIL: ' ', LOG_LEVEL: ' ' };
    expect(loadDemoConfig(blank)).toEqual(loadDemoConfig({}));
    expect(loadDemoConfig({ PORT: ' 8080 ' }).server).toMatchObject({ port: 8080, publicUrl: 'http://localhost:8080' });
  });

  it.each(['many', '8080x', '70000', '-1'])(
    'names the variable that somebody has set, and no other one: PORT=%s',
    (PORT) => {
      const load = () => loadDemoConfig({ PORT });
      expect(load).toThrow(new ConfigError(['PORT: must be a whole number from 0 to 65535']));
    },
  );
});

it('the data of the demo are known where another site in production would show them, and nowhere else', () => {
  const folder = temporaryFolder();
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://it.company',
    DATABASE_URL: 'embedded',
    SMTP_URL: 'smtp://mail.company',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    DATA_DIR: folder,
  };
  expect(isOverDemo(loadConfig(production))).toBe(false);
  writeFileSync(demoAdminFile(folder), '{}');
  expect(isOverDemo(loadConfig(production))).toBe(true);
  expect(isOverDemo(loadConfig({ ...production, DATABASE_URL: 'postgresql://me@db.company/site' }))).toBe(false);
  expect(isOverDemo(loadConfig({ DATA_DIR: folder }))).toBe(false);
  expect(isOverDemo(loadDemoConfig({ DATA_DIR: folder }))).toBe(false);
});
