import { describe, expect, it } from '@jest/globals';
import { describeDevice } from './device-words.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

describe('a device in words', () => {
  it.each([
    [FIREFOX, { browser: 'Firefox', system: 'Windows' }],
    [SAFARI, { browser: 'Safari', system: 'iOS' }],
    ['', { browser: null, system: null }],
    [null, { browser: null, system: null }],
    ['node', { browser: null, system: null }],
  ])('names browser and system of %s', (userAgent, words) => {
    expect(describeDevice(userAgent)).toEqual(words);
  });

  it('takes no words from the sender', () => {
    expect(describeDevice('Your account is locked. Call evil.example/1 x')).toEqual({ browser: null, system: null });
  });

  it('reads no more of a long text than a browser sends', () => {
    expect(describeDevice(`${'x'.repeat(60_000)} ${FIREFOX}`)).toEqual({ browser: null, system: null });
  });
});
