import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/config.js';
import { explainUnreachable } from './unreachable-database.js';

const config = loadConfig({ DATABASE_URL: 'postgresql://site@db.example:5433/site' });
const errorOf = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });

describe('a command that the database does not let in', () => {
  it.each([
    ['28P01', 'password authentication failed for user "site"', 'Correct user and password in DATABASE_URL.'],
    ['28000', 'no pg_hba.conf entry for host', 'Let this user in (pg_hba.conf), or correct DATABASE_URL.'],
    ['3D000', 'database "site" does not exist', 'Create the database (createdb), or correct its name in DATABASE_URL.'],
    ['53300', 'sorry, too many clients', 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.'],
  ])('says what to correct: %s', (code, message, advice) => {
    expect(explainUnreachable(errorOf(code, message), config)).toEqual({
      level: 'fail',
      message: `db.example:5433 cannot be reached: ${message}`,
      advice,
    });
  });

  it('says so of one that nobody reaches as well', () => {
    const refused = errorOf('ECONNREFUSED', 'connect ECONNREFUSED', { syscall: 'connect', port: 5433 });
    expect(explainUnreachable(refused, config)).toMatchObject({
      advice: expect.stringMatching(/^Start PostgreSQL, or/),
    });
  });

  it('has nothing to say of others, nor where no variable is to blame', () => {
    expect(explainUnreachable(errorOf('23505', 'duplicate key'), config)).toBeNull();
    expect(explainUnreachable(errorOf('EAUTH', 'no'), config)).toBeNull();
    const mail = errorOf('ECONNREFUSED', 'connect ECONNREFUSED', { syscall: 'connect', port: 25 });
    expect(explainUnreachable(mail, config)).toBeNull();
    expect(explainUnreachable(errorOf('28P01', 'no'), loadConfig({ DATABASE_URL: 'embedded' }))).toBeNull();
  });
});
