import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { isBanned } from '../tokens/authentication.service.js';
import type { Caller } from '../api/caller.js';
import { GuessNoticesService } from '../mails/guess-notices.service.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { readPhone } from '../api/input-rules.js';
import { KnownDevicesService } from '../guesses/known-devices.service.js';
import { PasswordsService, type Weakness } from '../passwords/passwords.service.js';
import type { PasswordBody } from '../api/request-bodies.js';
import { SessionsService, type TokenResponse } from './sessions.service.js';
import { isConfirmed } from '../accounts/signup.service.js';
import { lockUserBy } from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';

/** The grant `password` (auth-api.md 3.2). */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly guesses: GuessesService,
    private readonly devices: KnownDevicesService,
    private readonly notices: GuessNoticesService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** Signs in with a password. An unknown address and a wrong password take the same time and get the same answer. */
  async signIn(body: PasswordBody, caller: Caller): Promise<TokenResponse & { readonly weak_password?: Weakness }> {
    const { email, phone, password } = body;
    if (email !== '' && phone !== '') {
      throw invalid('Only an email address or phone number should be provided on login.');
    }
    if (email === '' && phone === '') throw invalid('missing email or phone');
    const channel = email === '' ? 'phone' : 'email';
    this.assertEnabled(channel);
    const where = channel === 'email' ? { email: email.toLowerCase(), isSsoUser: false } : { phone: readPhone(phone) };
    // Nobody has an empty password: it is no guess.
    if (password === '') throw invalidCredentials();
    const user = await this.findUser(where);
    const isBarred = user !== null && isBanned(user, this.clock.now());
    const subject = this.guesses.subjectOf(user, channel === 'email' ? email : readPhone(phone));
    const source = user === null ? '' : this.devices.sourceFor(caller, user.id);
    const { isRight, isOutdated, failures } = await this.guesses.judgePassword(subject, source, () =>
      // Takes as long as a password does, as a refusal at once would tell that there is such a user.
      this.passwords.check(password, isBarred ? null : user?.passwordHash),
    );
    if (isBarred) throw banned();
    if (user !== null && source === '')
      await this.notices.noteFailures(user, failures, this.config.auth.guesses.passwords);
    if (user === null || !isRight) throw invalidCredentials();
    if (!isConfirmed(user, channel)) {
      throw new AuthError(400, `${channel}_not_confirmed`, `${channel === 'email' ? 'Email' : 'Phone'} not confirmed`);
    }
    const newHash = isOutdated ? await this.passwords.hash(password) : undefined;
    const answer = (await this.begin(user, newHash, caller)) ?? (await this.beginAnew(user.id, password, caller));
    const weakness = await this.passwords.findWeakness(password, user.email ?? user.phone);
    return weakness === null ? answer : { ...answer, weak_password: weakness };
  }

  /** Signs in; null when the user has another hash by now than the one that was compared. */
  private async begin(known: UserRow, newHash: string | undefined, caller: Caller): Promise<TokenResponse | null> {
    return await this.em.fork().transactional(async (em) => {
      const user = await lockUserBy(em, { id: known.id });
      // Deleted while the password was being compared.
      if (user === null) throw invalidCredentials();
      if (user.passwordHash !== known.passwordHash) return null;
      if (isBanned(user, this.clock.now())) throw banned();
      if (newHash !== undefined) user.passwordHash = newHash;
      return await this.sessions.begin(em, user, 'password', caller);
    });
  }

  /** Another hash may be that of another password, or a better one of the same that a sign-in beside this one has stored. */
  private async beginAnew(id: string, password: string, caller: Caller): Promise<TokenResponse> {
    const user = await this.findUser({ id });
    const { isRight } = await this.passwords.check(password, user?.passwordHash);
    const answer = user !== null && isRight ? await this.begin(user, undefined, caller) : null;
    if (answer === null) throw invalidCredentials();
    return answer;
  }

  private async findUser(
    where: { email: string; isSsoUser: boolean } | { phone: string } | { id: string },
  ): Promise<UserRow | null> {
    return await this.em.fork({ disableTransactions: true }).findOne(User, { ...where, deletedAt: null });
  }

  private assertEnabled(channel: 'email' | 'phone'): void {
    const { mail, sms } = this.config.auth;
    if (channel === 'email' ? mail.isEnabled : sms.isEnabled) return;
    const name = channel === 'email' ? 'Email' : 'Phone';
    throw new AuthError(422, `${channel}_provider_disabled`, `${name} logins are disabled`);
  }
}

function banned(): AuthError {
  return new AuthError(400, 'user_banned', 'User is banned');
}

function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
}
