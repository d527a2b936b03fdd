import { describe, expect, it } from '@jest/globals';
import { checkCredentials } from './credentials-rules.js';

describe('checkCredentials', () => {
  it('trims the address and leaves the password alone', () => {
    expect(checkCredentials('credentials', { email: ' pat@example.com ', password: ' secret ', code: '' })).toEqual({
      values: { email: 'pat@example.com', password: ' secret ', code: '' },
      problems: null,
    });
  });

  it.each(['', 'pat', 'pat@', '@example.com', 'pat doe@example.com'])('refuses the address %j', (email) => {
    expect(checkCredentials('credentials', { email, password: '123456', code: '' }).problems).toEqual({
      email: 'Invalid email address',
    });
  });

  it('refuses five characters and takes six', () => {
    const check = (password: string) => checkCredentials('password', { email: '', password, code: '' }).problems;
    expect(check('12345')).toEqual({ password: 'Password must be at least 6 characters' });
    expect(check('123456')).toBeNull();
  });

  it('names the address before the password', () => {
    const { problems } = checkCredentials('credentials', { email: '', password: '', code: '' });
    expect(Object.keys(problems ?? {})).toEqual(['email', 'password']);
  });

  it('asks for nothing but an address where that is all', () => {
    expect(checkCredentials('address', { email: 'pat@example.com', password: '', code: '' }).problems).toBeNull();
  });

  it.each([
    ['123456', '123456'],
    [' 123 456\n', '123456'],
    ['Or type in this code: 0123-456789', '0123456789'],
  ])('takes the digits of the code in %j', (typed, code) => {
    const { values, problems } = checkCredentials('code', { email: 'pat@example.com', password: '', code: typed });
    expect({ code: values.code, problems }).toEqual({ code, problems: null });
  });

  it.each(['', '12345', 'abcdef', '12345678901'])('refuses %j for a code', (code) => {
    expect(checkCredentials('passwordWithCode', { email: '', password: '123456', code }).problems).toEqual({
      code: 'Please type in all digits of the code',
    });
  });
});
