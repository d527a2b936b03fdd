import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadDemoConfig } from './demo.js';

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
