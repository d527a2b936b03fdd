import { describe, expect, it } from '@jest/globals';
import { readRefusal } from './provider-words.js';

describe('readRefusal', () => {
  it('says what the address tells, in words of its own', () => {
    expect(readRefusal('?error=access_denied&error_description=evil', 'Example')).toBe(
      'You are not signed in: it was stopped at Example.',
    );
    expect(readRefusal('?error=invalid_request&error_code=bad_oauth_state', 'Example')).toContain('another browser');
    for (const code of ['made_up', 'constructor', '']) {
      expect(readRefusal(`?error_code=${code}&error_description=evil`, 'Example')).toBe(
        'The sign-in did not work. Please try again.',
      );
    }
    expect(readRefusal('?code=x', 'Example')).toBeNull();
  });
});
