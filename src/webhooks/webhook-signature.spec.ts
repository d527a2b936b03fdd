import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/config.js';
import { signedHeaders } from './webhook-signature.js';

const URL_VARIABLE = { NOTIFY_WEBHOOK_URL: 'https://chat.company/hooks/1?token=x' };

describe('the signature of a webhook', () => {
  it('is the one that Standard Webhooks gives as its example', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const key = loadConfig({ ...URL_VARIABLE, NOTIFY_WEBHOOK_SECRET: secret }).webhook?.key ?? Buffer.of();
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_900),
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(key, message)).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('has a secret that nobody guesses, and an address without a password', () => {
    const secret = 's'.repeat(24);
    expect(loadConfig({}).webhook).toBeNull();
    expect(() => loadConfig(URL_VARIABLE)).toThrow(/NOTIFY_WEBHOOK_SECRET: is missing/);
    expect(() => loadConfig({ NOTIFY_WEBHOOK_SECRET: secret })).toThrow(/NOTIFY_WEBHOOK_URL: is missing/);
    for (const NOTIFY_WEBHOOK_SECRET of ['short', 'whsec_c2hvcnQ=']) {
      expect(() => loadConfig({ ...URL_VARIABLE, NOTIFY_WEBHOOK_SECRET })).toThrow(/SECRET: must be 24 characters/);
    }
    for (const url of ['ftp://a.company', 'https://me:secret@a.company', 'https://a.company/#x', 'chat']) {
      const variables = { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: secret };
      expect(() => loadConfig(variables)).toThrow(/NOTIFY_WEBHOOK_URL: must/);
    }
    // The operator's own choice.
    const inner = { NOTIFY_WEBHOOK_URL: 'http://10.0.0.7:8065/hooks/a', NOTIFY_WEBHOOK_SECRET: secret };
    expect(loadConfig(inner).webhook).toMatchObject({ url: inner.NOTIFY_WEBHOOK_URL, key: Buffer.from(secret) });
  });
});
