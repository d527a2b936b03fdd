import { describe, expect, it } from '@jest/globals';
import { needsSmtpUtf8 } from './smtp-utf8.js';

describe('needsSmtpUtf8', () => {
  it('goes by what stands in front of the host, which has another spelling', () => {
    expect(['ada@example.com', 'ada@bücher.example'].map(needsSmtpUtf8)).toEqual([false, false]);
    expect(['jörg@example.com', '山田@例え.example'].map(needsSmtpUtf8)).toEqual([true, true]);
  });
});
