import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';

const on = { AUTH_WEBAUTHN_ENABLED: 'true' };

describe('the relying party', () => {
  it('is the site, unless it is said to be another', () => {
    expect(loadConfig({ PUBLIC_URL: 'https://www.example.com:8443/' }).auth.webauthn).toEqual({
      rpId: 'www.example.com',
      origins: ['https://www.example.com:8443'],
    });
    const given = {
      AUTH_WEBAUTHN_RP_ID: 'Example.com',
      AUTH_WEBAUTHN_ORIGINS: 'https://a.example.com, android:apk-key-hash:x1_-',
    };
    const { auth, warnings } = loadConfig({ ...on, ...given });
    expect(auth.webauthn).toEqual({
      rpId: 'example.com',
      origins: ['https://a.example.com', 'android:apk-key-hash:x1_-'],
    });
    expect(warnings).toEqual([]);
    for (const origins of ['example.com', 'https://example.com/', 'https://example.com/a', 'https://Example.com']) {
      expect(() => loadConfig({ AUTH_WEBAUTHN_ORIGINS: origins })).toThrow(ConfigError);
    }
  });

  it.each([
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 'AUTH_WEBAUTHN_RP_ID: is the IP address 127.0.0.1'],
    [{ AUTH_WEBAUTHN_RP_ID: 'example.com' }, 'AUTH_WEBAUTHN_RP_ID: is example.com, which http://localhost:3000'],
    [
      { AUTH_WEBAUTHN_RP_ID: 'example.com', AUTH_WEBAUTHN_ORIGINS: 'https://badexample.com' },
      'AUTH_WEBAUTHN_RP_ID: is example.com, which https://badexample.com is not below',
    ],
    [
      { PUBLIC_URL: 'http://www.example.com' },
      'AUTH_WEBAUTHN_ORIGINS: browsers have no keys at http://www.example.com',
    ],
  ])('that browsers have no keys for is a warning, where keys are used (%j)', (given, warning) => {
    expect(loadConfig(given).warnings).toEqual([]);
    expect(loadConfig({ ...given, ...on }).warnings).toEqual([expect.stringContaining(warning)]);
    expect(loadConfig({ ...given, AUTH_PASSKEYS_ENABLED: 'true' }).warnings).toHaveLength(1);
    expect(loadConfig(on).warnings).toEqual([]);
  });
});
