import { describe, expect, it } from '@jest/globals';
import { isAboutSender, isRefusalOfSite } from './smtp-refusal.js';

describe('a refusal of a recipient', () => {
  it.each([
    '553 5.7.1 <desk@it.company>: Sender address rejected: not owned by user desk',
    '554 5.7.1 <ada@example.com>: Relay access denied',
    '550-5.7.54 SMTP; Unable to relay recipient in non-accepted domain\n550 5.7.54 Ask the office',
    '550 5.7.1 Unable to relay',
    '550 5.1.0 <desk@it.company>: Sender address rejected: User unknown in virtual mailbox table',
    '504 5.5.2 <it>: Helo command rejected: need fully-qualified hostname',
    '550 relay not permitted',
    '550 Relaying denied',
    '553 sender address rejected',
  ])('is about the site: %p', (reply) => {
    expect(isRefusalOfSite(reply)).toBe(true);
  });

  it.each([
    '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table',
    '550 5.1.1 The sender should look for typing mistakes',
    '554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied',
    '552 5.2.2 Mailbox full',
    '550 No such person',
    '550 <sender@relay.example>: No such person',
    '',
  ])('is about the recipient: %p', (reply) => {
    expect(isRefusalOfSite(reply)).toBe(false);
  });

  it('names the sender or not', () => {
    expect(isAboutSender('553 5.7.1 <desk@it.company>: Sender address rejected')).toBe(true);
    expect(isAboutSender('554 5.7.1 <sender@example.com>: Relay access denied')).toBe(false);
  });
});
