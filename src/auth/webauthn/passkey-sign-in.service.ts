import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Clock } from '../../shared/clock.js';
import { lockUserBy } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';
import type { Caller } from '../api/caller.js';
import type { PasskeyBody } from '../api/request-bodies.js';
import { AuthError } from '../auth.error.js';
import { SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { isBanned } from '../tokens/authentication.service.js';
import { PasskeyChallengesService, type AnsweredChallenge, type CeremonyAnswer } from './passkey-challenges.service.js';
import { verificationFailed } from './passkeys.service.js';
import { WebauthnCredential } from './webauthn-credential.entity.js';
import { WebauthnService } from './webauthn.service.js';

/** Signs in with a passkey (auth-api.md 3.20, decision 68): it tells by itself whose it is. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly challenges: PasskeyChallengesService,
    private readonly webauthn: WebauthnService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** POST /passkeys/authentication/options: the same for everybody. */
  async begin(): Promise<CeremonyAnswer<PublicKeyCredentialRequestOptionsJSON>> {
    const em = this.em.fork({ disableTransactions: true });
    return await this.challenges.begin(em, null, await this.webauthn.requestOptions('passkey', []));
  }

  /**
   * POST /passkeys/authentication/verify. A credential that nobody has is answered like one that is wrong.
   * @throws AuthError 400 webauthn_verification_failed; 403 email_not_confirmed, phone_not_confirmed, user_banned
   */
  async finish(body: PasskeyBody, caller: Caller): Promise<TokenResponse> {
    const answered = await this.challenges.take(null, body);
    return await this.em.fork().transactional(async (em) => {
      const user = await this.identify(em, answered);
      if (user === null) throw verificationFailed();
      this.assertMaySignIn(user);
      return await this.sessions.begin(em, user, 'passkey', caller);
    });
  }

  /** Returns the owner of the passkey that signed, or null. Holds the user, so that of two signatures one counts first. */
  private async identify(em: EntityManager, { challenge, response }: AnsweredChallenge): Promise<UserRow | null> {
    const which = { credentialId: response.id, factorId: null };
    const found = await em.findOne(WebauthnCredential, which);
    const user = found && (await lockUserBy(em, { id: found.userId }));
    // As it is behind the lock, if it is still there.
    const passkey = user && (await em.findOne(WebauthnCredential, which, { refresh: true }));
    if (!passkey || response.response.userHandle !== handleOf(user)) return null;
    const signCount = await this.webauthn.readSignCount('passkey', challenge, response, passkey);
    if (signCount === null) return null;
    Object.assign(passkey, { signCount, lastUsedAt: this.clock.now() });
    return user;
  }

  private assertMaySignIn(user: UserRow): void {
    if (user.email && !user.emailConfirmedAt) throw new AuthError(403, 'email_not_confirmed', 'Email not confirmed');
    if (user.phone && !user.phoneConfirmedAt) throw new AuthError(403, 'phone_not_confirmed', 'Phone not confirmed');
    if (isBanned(user, this.clock.now())) throw new AuthError(403, 'user_banned', 'User is banned');
  }
}

/** The name of an account for its passkeys: the bytes of its id as text. */
function handleOf({ id }: UserRow): string {
  return Buffer.from(id).toString('base64url');
}
