import { describe, expect, it } from '@jest/globals';
import { toLoggedError } from './logged-error.js';

describe('toLoggedError', () => {
  it('keeps what finds the fault', () => {
    const error = Object.assign(new TypeError('x is not a function', { cause: new Error('below') }), { code: 'E1' });
    expect(toLoggedError(error)).toMatchObject({
      type: 'TypeError',
      message: 'x is not a function',
      code: 'E1',
      stack: expect.stringMatching(/^ +at .*logged-error\.spec/),
      cause: { type: 'Error', message: 'below' },
    });
  });

  it.each([
    ['a row of the driver', Object.assign(new Error('violates'), { code: '23505', detail: 'Key (email)=(secret)' })],
    ['a value that the driver quotes', Object.assign(new Error('invalid input: "secret"'), { code: '22P02' })],
    ['a text that a parser quotes', new SyntaxError(`Unexpected token 's', "secret" is not valid JSON`)],
    ['an address', new Error('550 no such user <secret@example.org>')],
    ['a token', new Error('refused eyJsecret.secret.secret')],
    ['a cause', new Error('above', { cause: new SyntaxError('"secret"') })],
    ['several', new AggregateError([new Error('to secret@example.org')])],
  ])('leaves out %s', (_name, error) => {
    expect(JSON.stringify(toLoggedError(error))).not.toContain('secret');
  });

  it('ends with an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(toLoggedError(error)?.cause?.message).toBe('round');
  });
});
