import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { HASH_COST, PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount } from '../support/accounts.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';

const PASSWORD = 'correct horse 7';
const OTHER = 'another horse 8';

/** The cost of a hash, and the sizes of its salt and hash, as the text of the hash shows them. */
const workOf = (text: string) => text.replace(/\$[^$]+\$[^$]+$/, (parts) => parts.replace(/[^$]/g, '.'));

describe('what passwords cost', () => {
  let server: AuthServer;

  beforeAll(async () => {
    server = await startAuthServer({ AUTH_MAIL_AUTOCONFIRM: 'true' });
    server.app.get(PasswordsService).cost = HASH_COST;
  });

  /** The library does its work, and notes every evaluation: what it takes in time is measured by npm run bench:auth. */
  function countEvaluations() {
    const { argon2 } = server.app.get(PasswordsService);
    return { verify: jest.spyOn(argon2, 'verify').mockClear(), hash: jest.spyOn(argon2, 'hash').mockClear() };
  }

  async function join() {
    const email = server.newEmail();
    const { data, error } = await server.client().signUp({ email, password: PASSWORD });
    if (error) throw error;
    return { email, id: data.user!.id };
  }

  /** The evaluations of one refused attempt to sign in, and what each came to. */
  async function hashesOfSignIn(email: string) {
    const { verify, hash } = countEvaluations();
    expect((await server.client().signInWithPassword({ email, password: OTHER })).error).not.toBeNull();
    return {
      verified: verify.mock.calls.map(([text, password]) => [workOf(String(text)), password]),
      // A text that is no hash would be refused at once, and cost nothing.
      outcomes: await Promise.all(verify.mock.results.map(({ value }) => value as Promise<boolean>)),
      hashed: hash.mock.calls.length,
    };
  }

  it('is the same whether there is such an account or not', async () => {
    const { email } = await join();
    const { email: banned, id } = await join();
    await server.app.get(UsersService).banUser(OPERATOR, id, null);
    const { email: withoutPassword } = await createAccount(server.app);
    const known = await hashesOfSignIn(email);
    expect(known).toEqual({
      verified: [[expect.stringMatching(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$\.{22}\$\.{43}$/), OTHER]],
      outcomes: [false],
      hashed: 0,
    });
    for (const address of [server.newEmail(), banned, withoutPassword!]) {
      expect([address, await hashesOfSignIn(address)]).toEqual([address, known]);
    }
  });

  it('is the same for whoever signs up with an address that is taken', async () => {
    const { email } = await join();
    const hashesOfSignUp = async (address: string) => {
      const { verify, hash } = countEvaluations();
      await server.client().signUp({ email: address, password: OTHER });
      return verify.mock.calls.length + hash.mock.calls.length;
    };
    expect(await hashesOfSignUp(server.newEmail())).toBe(1);
    expect(await hashesOfSignUp(email)).toBe(1);
  });
});
