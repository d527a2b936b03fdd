import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Clock } from '../shared/clock.js';
import { AuthError } from './auth.error.js';
import { findOneTimeToken } from './one-time-tokens.js';
import { PasswordsService } from './passwords.service.js';
import type { UpdateBody } from './request-bodies.js';
import type { SessionRow } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { TokenCodec } from './token-codec.js';
import { clearOneTimeTokens } from './user-records.js';
import type { UserRow } from './user.entity.js';

const DAY_MS = 24 * 3600 * 1000;
/** Whoever came by one of these has shown more than a password. */
const PASSWORDLESS: ReadonlySet<string> = new Set(['otp', 'magiclink', 'recovery']);

/** What a change of password asks for and takes with it. */
@Injectable()
export class PasswordChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets a new password on behalf of its user: the other sessions and all links and codes end.
   * @throws AuthError 400 or 422, as PUT /user has them
   */
  async change(em: EntityManager, user: UserRow, session: SessionRow | null, body: UpdateBody): Promise<void> {
    const password = body.password ?? '';
    await this.assertReauthenticated(em, user, session, body.nonce);
    await this.assertCurrentKnown(user, session, body.current_password);
    this.passwords.assertStrong(password);
    if (user.passwordHash && (await this.passwords.check(password, user.passwordHash)).isRight) {
      throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
    }
    user.passwordHash = await this.passwords.hash(password);
    await this.sessions.end(em, user.id, 'others', session?.id);
    await clearOneTimeTokens(em, user);
  }

  private async assertReauthenticated(
    em: EntityManager,
    user: UserRow,
    session: SessionRow | null,
    nonce: string,
  ): Promise<void> {
    if (!this.config.auth.password.isReauthenticationRequired) return;
    const now = this.clock.now();
    if (session !== null && now.getTime() - session.createdAt.getTime() <= DAY_MS) return;
    if (nonce === '') {
      throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication');
    }
    const address = user.email ?? user.phone ?? '';
    const tokenHash = this.codec.hash(this.codec.linkToken(address, nonce));
    const token = await findOneTimeToken(em, tokenHash, ['reauthentication'], now);
    if (token?.userId === user.id) return;
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
  }

  private async assertCurrentKnown(user: UserRow, session: SessionRow | null, current: string): Promise<void> {
    if (!this.config.auth.password.isCurrentRequired || !user.passwordHash) return;
    if (session?.amr.some(({ method }) => PASSWORDLESS.has(method))) return;
    if (current === '') {
      throw new AuthError(400, 'current_password_required', 'Current password required when setting new password.');
    }
    if ((await this.passwords.check(current, user.passwordHash)).isRight) return;
    throw new AuthError(400, 'current_password_invalid', 'Current password required when setting new password.');
  }
}
