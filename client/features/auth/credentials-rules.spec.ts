import { describe, expect, it } from '@jest/globals';
import { checkCredentials } from './credentials-rules.js';

describe('checkCredentials', () => {
  it('trims the address and leaves the password alone', () => {
    expect(checkCredentials('credentials', { email: ' pat@example.com ', password: ' secret ' })).toEqual({
      values: { email: 'pat@example.com', password: ' secret ' },
      problems: null,
    });
  });

  it.each(['', 'pat', 'pat@', '@example.com', 'pat doe@example.com'])('refuses the address %j', (email) => {
    expect(checkCredentials('credentials', { email, password: '123456' }).problems).toEqual({
      email: 'Invalid email address',
    });
  });

  it('refuses five characters and takes six', () => {
    const check = (password: string) => checkCredentials('password', { email: '', password }).problems;
    expect(check('12345')).toEqual({ password: 'Password must be at least 6 characters' });
    expect(check('123456')).toBeNull();
  });

  it('names the address before the password', () => {
    const { problems } = checkCredentials('credentials', { email: '', password: '' });
    expect(Object.keys(problems ?? {})).toEqual(['email', 'password']);
  });

  it('asks for nothing but an address where that is all', () => {
    expect(checkCredentials('address', { email: 'pat@example.com', password: '' }).problems).toBeNull();
  });
});
