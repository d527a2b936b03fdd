import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/config.js';
import { describeMailFailure } from './mail-failure-words.js';
import { isDecidedByVariables, toPhase, type SetupFacts } from './setup-state.service.js';

describe('the phase of a site', () => {
  it('is decided by variables that say where enquiries go and whom mails are from, and outside of production', () => {
    const env = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://it.company',
      DATABASE_URL: 'embedded',
      SMTP_URL: 'smtp://mail.company',
      AUTH_JWT_KEYS: 'generated',
      AUTH_TOKEN_SECRET: 'generated',
    };
    const to = 'desk@it.company';
    const isDecided = (more: Record<string, string | undefined>) =>
      isDecidedByVariables(loadConfig({ ...env, ...more }));
    expect([{}, { CONTACT_TO: to }, { MAIL_FROM: to }, { SITE_PHONE: '1' }].map(isDecided)).not.toContain(true);
    const whole = [{ SITE_EMAIL: to }, { CONTACT_TO: to, MAIL_FROM: to }, { NODE_ENV: 'development' }];
    expect(whole.map(isDecided)).not.toContain(false);
  });

  it('is the setup only for a site that nobody uses', () => {
    const none = { is_begun: false, is_finished: false, has_admin: false, has_posts: false, has_email: false };
    const phaseOf = (facts: Partial<SetupFacts>) => toPhase({ ...none, ...facts });
    expect(phaseOf({})).toBe('setup');
    // Half way, as far as the setup itself has come.
    expect(phaseOf({ is_begun: true, has_email: true })).toBe('setup');
    // By the command line.
    expect(phaseOf({ has_email: true })).toBe('running');
    for (const use of ['is_finished', 'has_admin', 'has_posts'] as const) {
      expect(phaseOf({ [use]: true })).toBe('unreachable');
      expect(phaseOf({ [use]: true, has_email: true })).toBe('running');
      expect(phaseOf({ [use]: true, is_begun: true })).toBe('unreachable');
    }
  });
});

describe('the failure of a test mail', () => {
  const context = { host: 'mail.company:587', isEncrypted: false, sender: 'desk@it.company', to: 'ada@it.company' };
  const wordsFor = (facts: object, message = 'x', way: Partial<typeof context> = {}) =>
    describeMailFailure(new Error('outer', { cause: Object.assign(new Error(message), facts) }), {
      ...context,
      ...way,
    });

  it.each([
    [{ code: 'EDNS' }, 'getaddrinfo ENOTFOUND', /no mail server with the name in SMTP_URL, mail\.company:587/],
    [{ code: 'EDNS' }, 'getaddrinfo EAI_AGAIN mail.company', /cannot be looked up: no DNS server answers this machine/],
    [{ code: 'EAI_AGAIN' }, 'x', /cannot be looked up/],
    [{ code: 'ESOCKET' }, 'connect ECONNREFUSED 127.0.0.1:1', /Nothing answers at mail\.company:587/],
    [{ code: 'ESOCKET' }, 'self-signed certificate', /cannot be encrypted: self-signed certificate/],
    [{ code: 'ESOCKET' }, 'wrong version number', /smtp:\/\/ instead of smtps:\/\//],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'no', /user name and password .*answered 535/],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 }, 'no', /no mail from desk@it\.company/],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 553 }, 'Sender address rejected', /no mail from desk@it/],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'no', /no mail to ada@it\.company .*550/],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'Connection timeout', /does not answer/],
    [{ code: 'EMESSAGE', responseCode: 554 }, 'spam', /did not take the mail \(it answered 554\)/],
  ])('is said in words: %p', (facts, message, words) => {
    expect(wordsFor(facts, message)).toMatch(words);
  });

  it('knows the port at which a server waits for TLS, where nobody who speaks without is answered', () => {
    const host = 'mail.company:465';
    const facts = { code: 'ETIMEDOUT', command: 'CONN' };
    expect(wordsFor(facts, 'Greeting never received', { host })).toMatch(/465 says nothing.* write smtps:\/\/ instead/);
    // There it is the network.
    expect(wordsFor(facts, 'Connection timeout', { host, isEncrypted: true })).toMatch(/does not answer/);
    expect(wordsFor({ code: 'EDNS' }, 'getaddrinfo ENOTFOUND', { host })).toMatch(/no mail server with the name/);
  });
});
