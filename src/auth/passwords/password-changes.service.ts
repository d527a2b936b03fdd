import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { MailService, SIGN_IN_LINKS } from '../../mail/mail.service.js';
import { Clock, isAhead } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import { CodesService } from '../codes/codes.service.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { endsOfGoodTokens, findOneTimeToken, withdrawAddressChange } from '../codes/one-time-tokens.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { PasswordsService } from './passwords.service.js';
import type { UpdateBody } from '../api/request-bodies.js';
import { FlowState } from '../sessions/flow-state.entity.js';
import type { SessionRow } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { clearOneTimeTokens } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';

const DAY_MS = 24 * 3600 * 1000;
/** Sign-in methods that prove more than a password. */
const PASSWORDLESS: ReadonlySet<string> = new Set(['otp', 'magiclink', 'recovery']);

/** The password that was there when everything asked for was compared. */
export interface Proof {
  readonly passwordHash: string | null | undefined;
}

/** Changes passwords: checks the proofs that a change needs, and ends what the old password allowed. */
@Injectable()
export class PasswordChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly codes: CodesService,
    private readonly guesses: GuessesService,
    private readonly sessions: SessionsService,
    private readonly notices: AccountNoticesService,
    private readonly mails: MailService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the proofs of a change of password beside the session. Runs before the change and outside its transaction,
   * because a wrong proof must be counted although nothing changes.
   * @throws AuthError 400, 422 or 429, as PUT /user has them
   */
  async prove(user: UserRow, session: SessionRow | null, body: UpdateBody): Promise<Proof> {
    await this.assertReauthenticated(user, session, body.nonce);
    await this.assertCurrentKnown(user, session, body.current_password);
    return { passwordHash: user.passwordHash };
  }

  /**
   * Sets a new password on behalf of its user: the other sessions, all links and codes, those of PKCE included, and a
   * change of address that waits end.
   * @throws AuthError 400 or 422, as PUT /user has them
   */
  async change(
    em: EntityManager,
    user: UserRow,
    session: SessionRow | null,
    body: UpdateBody,
    proof: Proof,
  ): Promise<void> {
    const password = body.password ?? '';
    // The second of two changes at once finds its code spent, and another password.
    await this.assertNonceUnspent(em, user, session, body.nonce);
    if (this.config.auth.password.isCurrentRequired && proof.passwordHash !== user.passwordHash) throw currentInvalid();
    await this.passwords.assertStrong(password, user.email ?? user.phone);
    if (user.passwordHash && (await this.passwords.check(password, user.passwordHash)).isRight) {
      throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
    }
    user.passwordHash = await this.passwords.hash(password);
    await this.sessions.end(em, user.id, 'others', session?.id);
    await clearOneTimeTokens(em, user);
    await this.mails.withdraw(em, user.id, SIGN_IN_LINKS);
    // Whoever knew the old password, or had a session, may have asked for it.
    await withdrawAddressChange(em, user);
    // A link that was followed just now may have become a code.
    await em.nativeDelete(FlowState, { userId: user.id });
    await this.notices.tell(em, user.id, { kind: 'password_changed' });
  }

  private async assertReauthenticated(user: UserRow, session: SessionRow | null, nonce: string): Promise<void> {
    if (!this.isNonceNeeded(session)) return;
    if (nonce === '') {
      throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication');
    }
    const { isRight } = await this.guesses.judgeNonce(user.id, async () => ({
      isRight: await this.codes.compare([user.id], ['reauthentication'], this.hashNonce(user, nonce)),
    }));
    if (!isRight) throw nonceInvalid();
  }

  private async assertNonceUnspent(
    em: EntityManager,
    user: UserRow,
    session: SessionRow | null,
    nonce: string,
  ): Promise<void> {
    if (!this.isNonceNeeded(session)) return;
    const tokenHash = this.hashNonce(user, nonce);
    const ends = endsOfGoodTokens(this.clock.now(), this.config.auth);
    const token = await findOneTimeToken(em, tokenHash, ['reauthentication'], ends);
    if (token?.userId !== user.id) throw nonceInvalid();
  }

  private isNonceNeeded(session: SessionRow | null): boolean {
    if (!this.config.auth.password.isReauthenticationRequired) return false;
    const now = this.clock.now();
    return session === null || isAhead(session.createdAt, now) || now.getTime() - session.createdAt.getTime() > DAY_MS;
  }

  private hashNonce(user: UserRow, nonce: string): string {
    return this.codec.hash(this.codec.linkToken(user.email ?? user.phone ?? '', nonce));
  }

  private async assertCurrentKnown(user: UserRow, session: SessionRow | null, current: string): Promise<void> {
    if (!this.config.auth.password.isCurrentRequired || !user.passwordHash) return;
    if (session?.amr.some(({ method }) => PASSWORDLESS.has(method))) return;
    if (current === '') {
      throw new AuthError(400, 'current_password_required', 'Current password required when setting new password.');
    }
    // Apart from guesses at signing in: neither keeps the other out.
    const source = `session:${session?.id ?? ''}`;
    const { isRight } = await this.guesses.judgePassword(user.id, source, () =>
      this.passwords.check(current, user.passwordHash),
    );
    if (!isRight) throw currentInvalid();
  }
}

function nonceInvalid(): AuthError {
  return new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

function currentInvalid(): AuthError {
  return new AuthError(400, 'current_password_invalid', 'Current password required when setting new password.');
}
