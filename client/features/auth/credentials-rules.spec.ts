import { describe, expect, it } from '@jest/globals';
import { checkCredentials } from './credentials-rules.js';

const EMPTY = { name: '', email: '', confirmation: '', current: '', password: '', code: '' };

describe('checkCredentials', () => {
  it('trims the address and leaves the password alone', () => {
    expect(
      checkCredentials('credentials', { ...EMPTY, email: ' pat@example.com ', password: ' secret ', code: '' }),
    ).toEqual({
      values: { ...EMPTY, email: 'pat@example.com', password: ' secret ', code: '' },
      problems: null,
    });
  });

  it.each(['', 'pat', 'pat@', '@example.com', 'pat doe@example.com'])('refuses the address %j', (email) => {
    expect(checkCredentials('credentials', { ...EMPTY, email, password: '123456', code: '' }).problems).toEqual({
      email: 'Invalid email address',
    });
  });

  it('refuses five characters and takes six', () => {
    const check = (password: string) =>
      checkCredentials('password', { ...EMPTY, email: '', password, code: '' }).problems;
    expect(check('12345')).toEqual({ password: 'Password must be at least 6 characters' });
    expect(check('123456')).toBeNull();
  });

  it('names the address before the password', () => {
    const { problems } = checkCredentials('credentials', { ...EMPTY, email: '', password: '', code: '' });
    expect(Object.keys(problems ?? {})).toEqual(['email', 'password']);
  });

  it('asks for nothing but an address where that is all', () => {
    expect(
      checkCredentials('address', { ...EMPTY, email: 'pat@example.com', password: '', code: '' }).problems,
    ).toBeNull();
  });

  it.each([
    ['123456', '123456'],
    [' 123 456\n', '123456'],
    ['Or type in this code: 0123-456789', '0123456789'],
  ])('takes the digits of the code in %j', (typed, code) => {
    const { values, problems } = checkCredentials('code', {
      ...EMPTY,
      email: 'pat@example.com',
      password: '',
      code: typed,
    });
    expect({ code: values.code, problems }).toEqual({ code, problems: null });
  });

  it('trims a name, which may be empty, and refuses one of more than 200 characters', () => {
    expect(checkCredentials('name', { ...EMPTY, name: ' Ada ' })).toEqual({
      values: { ...EMPTY, name: 'Ada' },
      problems: null,
    });
    expect(checkCredentials('name', EMPTY).problems).toBeNull();
    expect(checkCredentials('name', { ...EMPTY, name: 'a'.repeat(201) }).problems).toEqual({
      name: 'At most 200 characters',
    });
  });

  it('takes the words of a deletion in any case of letters, and no others', () => {
    const check = (confirmation: string) => checkCredentials('deletion', { ...EMPTY, confirmation }).problems;
    expect(check(' Delete My Account')).toBeNull();
    expect(check('delete')).toEqual({ confirmation: 'Type in: delete my account' });
  });

  it.each(['', '12345', 'abcdef', '12345678901'])('refuses %j for a code', (code) => {
    expect(checkCredentials('passwordWithCode', { ...EMPTY, email: '', password: '123456', code }).problems).toEqual({
      code: 'Please type in all digits of the code',
    });
  });
});
