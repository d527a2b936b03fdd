import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { AuditService } from '../../audit/audit.service.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { lockUserBy, userNotFound } from '../accounts/user-records.js';
import { User } from '../accounts/user.entity.js';
import type { Caller } from '../api/caller.js';
import type { PasskeyBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { FactorCallersService, type FactorCaller } from '../factors/factor-callers.service.js';
import { hasVerifiedFactor } from '../factors/factor-records.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { isUuid } from '../tokens/authentication.service.js';
import { keepNewCredential } from './credential-records.js';
import { PasskeyChallengesService, type CeremonyAnswer } from './passkey-challenges.service.js';
import { toPasskeyJson, type PasskeyJson } from './passkey.presenter.js';
import { WebauthnCredential, type WebauthnCredentialRow } from './webauthn-credential.entity.js';
import { WebauthnService } from './webauthn.service.js';

/** Passkeys that one person can have. */
const MOST_PASSKEYS = 10;
const LONGEST_NAME = 120;

/** Adds, names and removes passkeys (auth-api.md 3.19), one's own and, for those who administer accounts, others'. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly em: EntityManager,
    private readonly callers: FactorCallersService,
    private readonly challenges: PasskeyChallengesService,
    private readonly webauthn: WebauthnService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /** POST /passkeys/registration/options. */
  async begin(caller: Caller): Promise<CeremonyAnswer<PublicKeyCredentialCreationOptionsJSON>> {
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      const known = await this.assertMayAdd(em, own);
      const options = await this.webauthn.createOptions('passkey', own.user.id, own.user, known);
      return await this.challenges.begin(em, own.user.id, options);
    });
  }

  /** POST /passkeys/registration/verify. @throws AuthError as auth-api.md 3.19 says */
  async finish(body: PasskeyBody, caller: Caller): Promise<PasskeyJson> {
    const { user } = await this.callers.read(caller);
    const { challenge, response } = await this.challenges.take(user.id, body);
    const created = await this.webauthn.readCreated('passkey', challenge, response);
    if (created === null) throw verificationFailed();
    return await this.em.fork().transactional(async (em) => {
      await this.assertMayAdd(em, await this.callers.lock(em, caller));
      const id = randomUUID();
      await keepNewCredential(em, { ...created, id, userId: user.id, createdAt: this.clock.now() });
      const passkey = await em.findOneOrFail(WebauthnCredential, { id });
      await this.tell(em, { kind: 'user', userId: user.id }, 'added', passkey);
      return toPasskeyJson(passkey);
    });
  }

  /** GET /passkeys: the oldest first. */
  async list(caller: Caller): Promise<PasskeyJson[]> {
    const { user } = await this.callers.read(caller);
    return (await findPasskeys(this.em.fork({ disableTransactions: true }), user.id)).map(toPasskeyJson);
  }

  /** PATCH /passkeys/{id}. @throws AuthError 400 validation_failed, 403 insufficient_aal, 404 validation_failed */
  async rename(id: string, name: string, caller: Caller): Promise<PasskeyJson> {
    return await this.change(caller, async (em, { user }) => {
      if (name === '') throw invalid('friendly_name is required');
      if (name.length > LONGEST_NAME) throw invalid(`friendly_name must be ${LONGEST_NAME} characters or less`);
      const passkey = await findPasskey(em, user.id, id);
      passkey.friendlyName = name;
      return toPasskeyJson(passkey);
    });
  }

  /** DELETE /passkeys/{id}. @throws AuthError 403 insufficient_aal, 404 validation_failed */
  async remove(id: string, caller: Caller): Promise<void> {
    await this.change(caller, async (em, { user }) => {
      await this.drop(em, { kind: 'user', userId: user.id }, await findPasskey(em, user.id, id));
    });
  }

  /** Lists the passkeys of an account, the oldest first. @throws AuthError 404 user_not_found */
  async listOf(actor: Actor, userId: string): Promise<PasskeyJson[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    if ((await em.count(User, { id: userId, deletedAt: null })) === 0) throw userNotFound();
    return (await findPasskeys(em, userId)).map(toPasskeyJson);
  }

  /** Removes a passkey of an account. @throws AuthError 404 user_not_found, validation_failed */
  async removeOf(actor: Actor, userId: string, id: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    await this.em.fork().transactional(async (em) => {
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      await this.drop(em, actor, await findPasskey(em, userId, id));
    });
  }

  /** Removes all passkeys of an account, and returns their number. @throws AuthError 404 user_not_found */
  async removeAllOf(actor: Actor, userId: string): Promise<number> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      const passkeys = await findPasskeys(em, userId);
      for (const passkey of passkeys) await this.drop(em, actor, passkey);
      return passkeys.length;
    });
  }

  private async change<T>(caller: Caller, change: (em: EntityManager, own: FactorCaller) => Promise<T>): Promise<T> {
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      await assertMayChange(em, own);
      return await change(em, own);
    });
  }

  /** @returns the passkeys that there are */
  private async assertMayAdd(em: EntityManager, own: FactorCaller): Promise<WebauthnCredentialRow[]> {
    // Their company signs them in.
    if (own.user.isSsoUser) throw new AuthError(422, 'validation_failed', 'SSO users cannot register passkeys');
    await assertMayChange(em, own);
    const known = await findPasskeys(em, own.user.id);
    if (known.length < MOST_PASSKEYS) return known;
    throw new AuthError(422, 'too_many_passkeys', 'Maximum number of passkeys reached');
  }

  private async drop(em: EntityManager, actor: Actor, passkey: WebauthnCredentialRow): Promise<void> {
    await em.nativeDelete(WebauthnCredential, { id: passkey.id });
    await this.tell(em, actor, 'removed', passkey);
  }

  /** The one place that hears of every passkey that comes or goes. */
  private async tell(
    em: EntityManager,
    actor: Actor,
    change: 'added' | 'removed',
    { userId, friendlyName: name }: WebauthnCredentialRow,
  ): Promise<void> {
    await this.audit.recordForUser(em, actor, `user.passkey_${change}`, userId, { name });
    await this.notices.tell(em, userId, { kind: `factor_${change}`, type: 'passkey', name });
  }
}

/** E(400, webauthn_verification_failed): the one answer to whatever is wrong with a credential. */
export function verificationFailed(): AuthError {
  return new AuthError(400, 'webauthn_verification_failed', 'Credential verification failed');
}

/** Passkeys sign in: they are as hard to add, and to remove, as factors are. */
async function assertMayChange(em: EntityManager, { user, session }: FactorCaller): Promise<void> {
  if (session.aal === 'aal2' || !(await hasVerifiedFactor(em, user.id))) return;
  const message = 'AAL2 session is required to manage passkeys when MFA is enabled';
  throw new AuthError(403, 'insufficient_aal', message);
}

async function findPasskeys(em: EntityManager, userId: string): Promise<WebauthnCredentialRow[]> {
  return await em.find(WebauthnCredential, { userId, factorId: null }, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

async function findPasskey(em: EntityManager, userId: string, id: string): Promise<WebauthnCredentialRow> {
  const passkey = isUuid(id) ? await em.findOne(WebauthnCredential, { id, userId, factorId: null }) : null;
  if (passkey !== null) return passkey;
  throw new AuthError(404, 'validation_failed', 'Passkey not found');
}
