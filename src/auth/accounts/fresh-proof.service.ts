import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, isAhead } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import { Factor } from '../factors/factor.entity.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { Session, type SessionRow } from '../sessions/session.entity.js';
import { User, type UserRow } from './user.entity.js';

/** Sign-in methods of people who have just read a mail or a message, or used a passkey: they may know no password. */
const PASSWORDLESS: ReadonlySet<string> = new Set([
  ...['otp', 'magiclink', 'recovery', 'invite', 'email/signup'],
  'passkey',
]);
const FRESH_MS = 15 * 60 * 1000;

/** The proof that somebody has given, to be looked at again when it is used. */
export interface FreshProof {
  readonly userId: string;
  readonly sessionId: string;
  readonly passwordHash: string | null | undefined;
}

/** Makes sure that a person is there and not their session alone, before what nothing brings back. */
@Injectable()
export class FreshProofService {
  constructor(
    private readonly em: EntityManager,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks for the password, unless a second factor was shown in this session that was there before, or it began just now with
   * a mailed code or a passkey. Runs outside of the transaction of the change, as wrong passwords are counted.
   * @throws AuthError 400 current_password_required or current_password_invalid, 403 session_not_found or
   * reauthentication_needed, 429 over_request_rate_limit
   */
  async prove(userId: string, sessionId: string, password: string): Promise<FreshProof> {
    const em = this.em.fork({ disableTransactions: true });
    const user = await em.findOne(User, { id: userId, deletedAt: null });
    const session = await em.findOne(Session, { id: sessionId, userId });
    if (user === null || session === null) throw ended();
    const proof = { userId, sessionId, passwordHash: user.passwordHash };
    if (await this.hasShownFormerFactor(em, session)) return proof;
    // One that is given has to be right.
    const isPasswordMeant = user.passwordHash && password !== '';
    if (!isPasswordMeant && this.hasJustSignedInWithout(session)) return proof;
    if (user.passwordHash) {
      if (password === '') throw new AuthError(400, 'current_password_required', 'Type in your password.');
      // Apart from guesses at signing in: neither keeps the other out.
      const { isRight } = await this.guesses.judgePassword(userId, `session:${sessionId}`, () =>
        this.passwords.check(password, user.passwordHash),
      );
      if (!isRight) throw new AuthError(400, 'current_password_invalid', 'This is not your password.');
    } else {
      const message = 'Sign out, and in again with a passkey, or with a code from a mail.';
      throw new AuthError(403, 'reauthentication_needed', message);
    }
    return proof;
  }

  /** A factor that the session itself has added proves nothing: whoever took the session could have added it. */
  private async hasShownFormerFactor(em: EntityManager, session: SessionRow): Promise<boolean> {
    const { aal, factorId, userId, createdAt } = session;
    if (aal !== 'aal2' || factorId == null || isAhead(createdAt, this.clock.now())) return false;
    return (await em.count(Factor, { id: factorId, userId, createdAt: { $lt: createdAt } })) > 0;
  }

  private hasJustSignedInWithout({ amr, createdAt }: SessionRow): boolean {
    const now = this.clock.now();
    const isFresh = !isAhead(createdAt, now) && now.getTime() - createdAt.getTime() <= FRESH_MS;
    return isFresh && amr.some(({ method }) => PASSWORDLESS.has(method));
  }

  /**
   * Looks at a proof again in the transaction that holds its user.
   * @throws AuthError 403 session_not_found when password or session have changed since
   */
  async assertStillGood(em: EntityManager, user: UserRow, { sessionId, passwordHash }: FreshProof): Promise<void> {
    const isThere = (await em.count(Session, { id: sessionId, userId: user.id })) > 0;
    if (!isThere || user.passwordHash !== passwordHash) throw ended();
  }
}

function ended(): AuthError {
  return new AuthError(403, 'session_not_found', 'Your session has ended. Sign in again.');
}
