import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { JobQueue } from '../../database/job-queue.js';
import { MailService, SIGN_IN_LINKS } from '../../mail/mail.service.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { Identity } from '../accounts/identity.entity.js';
import { clearOneTimeTokens, confirmAddress, createUser, type NewUser } from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';
import { withdrawAddressChange } from '../codes/one-time-tokens.js';
import { Factor } from '../factors/factor.entity.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { FlowState } from '../sessions/flow-state.entity.js';
import { Session } from '../sessions/session.entity.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { WebauthnChallenge } from '../webauthn/webauthn-challenge.entity.js';
import { WebauthnCredential } from '../webauthn/webauthn-credential.entity.js';

/** Longest phone number; the hash that takes its place has to fit. */
const PHONE_LENGTH = 15;

/**
 * Changes of accounts by those who administer them, in the transaction of `em`: what the commands and the API do alike.
 * The callers have checked the actor and locked the user.
 */
@Injectable()
export class UserChangesService {
  constructor(
    private readonly guesses: GuessesService,
    private readonly roles: RolesService,
    private readonly notices: AccountNoticesService,
    private readonly mails: MailService,
    private readonly codec: TokenCodec,
    private readonly jobs: JobQueue,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** A new user, with some addresses taken as confirmed. */
  async create(
    em: EntityManager,
    actor: Actor,
    input: NewUser,
    confirmed: readonly ('email' | 'phone')[],
  ): Promise<UserRow> {
    const now = this.clock.now();
    const user = createUser(em, input, now);
    await em.flush();
    for (const channel of confirmed) await confirmAddress(em, user, channel, now);
    const subject = user.email ?? user.phone ?? user.id;
    await this.audit.record(em, actor, { action: 'user.created', subjectType: 'user', subjectId: user.id, subject });
    return user;
  }

  /** Sets a password; every session, link, code and waiting change of address ends, and wrong guesses are forgotten. */
  async setPassword(em: EntityManager, user: UserRow, passwordHash: string): Promise<void> {
    Object.assign(user, { passwordHash, updatedAt: this.clock.now() });
    await this.endAccess(em, user);
    await this.mails.withdraw(em, user.id, SIGN_IN_LINKS);
    await this.guesses.lift(em, user);
    await this.notices.tell(em, user.id, { kind: 'password_changed' });
  }

  /** Keeps somebody out until then. Sessions stay and are refused, preview links end. @throws LastAdminException */
  async ban(em: EntityManager, actor: Actor, user: UserRow, until: Date, isForGood: boolean): Promise<void> {
    await this.roles.requireOtherAdmin(em, user.id);
    Object.assign(user, { bannedUntil: until, updatedAt: this.clock.now() });
    await this.roles.endPreviewLinks(em, user.id);
    const details = { until: isForGood ? null : until.toISOString() };
    await this.audit.recordForUser(em, actor, 'user.banned', user.id, details);
  }

  /** Lets somebody in again. */
  async liftBan(em: EntityManager, actor: Actor, user: UserRow): Promise<void> {
    Object.assign(user, { bannedUntil: null, updatedAt: this.clock.now() });
    await this.audit.recordForUser(em, actor, 'user.ban_lifted', user.id);
  }

  /** Deletes a user, and with it sessions and roles. @throws LastAdminException */
  async remove(em: EntityManager, actor: Actor, user: UserRow): Promise<void> {
    await this.leave(em, actor, user, {});
    await em.nativeDelete(User, { id: user.id });
  }

  /**
   * Leaves the row of a user alone, with hashes for its addresses (auth-api.md 2.5): its id stays taken, and its
   * addresses are free.
   * @throws LastAdminException
   */
  async removeSoftly(em: EntityManager, actor: Actor, user: UserRow): Promise<void> {
    await this.leave(em, actor, user, { softly: true });
    await this.roles.dropRoles(em, user.id);
    await this.endAccess(em, user);
    await em.nativeDelete(Factor, { userId: user.id });
    await em.nativeDelete(WebauthnCredential, { userId: user.id });
    await em.nativeDelete(WebauthnChallenge, { userId: user.id });
    const now = this.clock.now();
    for (const identity of await em.find(Identity, { userId: user.id })) {
      const providerId = this.hashOf(user, identity.providerId);
      Object.assign(identity, { providerId, identityData: {}, email: null, updatedAt: now });
    }
    Object.assign(user, {
      email: user.email ? this.hashOf(user, user.email) : null,
      phone: user.phone ? this.hashOf(user, user.phone).slice(0, PHONE_LENGTH) : null,
      passwordHash: null,
      userMetadata: {},
      appMetadata: {},
      deletedAt: now,
      updatedAt: now,
    });
  }

  /** The hash in the place of an address of a user who was deleted softly. */
  hashOf(user: Pick<UserRow, 'id'>, value: string): string {
    return this.codec.hash(`deleted\0${user.id}\0${value}`);
  }

  /** Ends sessions, links and codes, those of PKCE included, and takes back a change of address that waits. */
  private async endAccess(em: EntityManager, user: UserRow): Promise<void> {
    await clearOneTimeTokens(em, user);
    await withdrawAddressChange(em, user);
    await em.nativeDelete(FlowState, { userId: user.id });
    await em.nativeDelete(Session, { userId: user.id });
  }

  /** Prepares either way of deletion. */
  private async leave(em: EntityManager, actor: Actor, user: UserRow, details: { softly?: true }): Promise<void> {
    await this.roles.requireOtherAdmin(em, user.id);
    const drafts = await this.roles.handOverPosts(em, actor, user.id);
    await this.roles.endPreviewLinks(em, user.id);
    await this.audit.recordForUser(em, actor, 'user.deleted', user.id, drafts === 0 ? details : { ...details, drafts });
    await this.guesses.erase(em, user.id, [user.email, user.newEmail, user.phone, user.newPhone]);
    await this.jobs.forget(em, 'userId', [user.id]);
  }
}
