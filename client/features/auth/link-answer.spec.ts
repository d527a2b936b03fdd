import { describe, expect, it } from '@jest/globals';
import { readLinkAnswer } from './link-answer.js';

describe('readLinkAnswer', () => {
  it('knows a link that was spent or is too old', () => {
    const hash =
      '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';
    expect(readLinkAnswer(hash)).toBe('expired');
  });

  it('knows other refusals', () => {
    expect(readLinkAnswer('#error=server_error&error_code=unexpected_failure&error_description=Oh+no&sb=')).toBe(
      'refused',
    );
  });

  it('knows the first of two confirmations', () => {
    expect(readLinkAnswer('#message=Confirmation+link+accepted&sb=')).toBe('half-done');
  });

  it.each(['', '#main', '#message=hello', '#access_token=a&refresh_token=b&sb=&type=recovery'])(
    'leaves %j alone',
    (hash) => {
      expect(readLinkAnswer(hash)).toBeNull();
    },
  );
});
