import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { JobQueue } from '../../database/job-queue.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import type { Role } from '../../shared/contracts/roles.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';
import { Identity } from '../accounts/identity.entity.js';
import { FactorChallenge } from '../factors/factor-challenge.entity.js';
import { findFactors } from '../factors/factor-records.js';
import { RecoveryCode } from '../factors/recovery-code.entity.js';
import { Session, type SessionRow } from '../sessions/session.entity.js';
import { FreshProofService, type FreshProof } from '../accounts/fresh-proof.service.js';
import { clearOneTimeTokens, lockUserBy, userNotFound } from '../accounts/user-records.js';
import { isEmailProven, User, type UserRow } from '../accounts/user.entity.js';
import { WebauthnCredential, type WebauthnCredentialRow } from '../webauthn/webauthn-credential.entity.js';
import { forgetClaimedAddress, listClaimedIdentities, type ClaimedIdentity } from './claimed-identities.js';
import { UserChangesService } from './user-changes.service.js';
import { UsersService } from './users.service.js';

export type { ClaimedIdentity };

/** The data kept about one account, for its owner. Secrets are left out. */
export interface AccountData {
  readonly id: string;
  readonly email: string | null;
  readonly new_email: string | null;
  readonly phone: string | null;
  /** A number that waits to be confirmed. */
  readonly new_phone: string | null;
  readonly phone_confirmed_at: string | null;
  readonly is_admin: boolean;
  /** Null for somebody without a role. */
  readonly role: Role | null;
  /** True for administrators, and for authors who publish their own posts. */
  readonly may_publish: boolean;
  readonly created_at: string;
  readonly email_confirmed_at: string | null;
  /** When the settings alone confirmed the address: nobody had to show that they read its mails. Else null. */
  readonly email_assumed_at: string | null;
  readonly last_sign_in_at: string | null;
  readonly banned_until: string | null;
  readonly user_metadata: unknown;
  readonly app_metadata: unknown;
  readonly identities: readonly { readonly provider: string; readonly data: unknown; readonly created_at: string }[];
  readonly sessions: readonly {
    readonly created_at: string;
    readonly user_agent: string | null;
    readonly ip: string | null;
  }[];
  readonly second_factors: readonly {
    readonly type: string;
    readonly name: string;
    /** Left out for a factor without a number. */
    readonly phone?: string;
    readonly status: string;
    readonly created_at: string;
    readonly last_challenged_at: string | null;
    readonly challenges: readonly { readonly created_at: string; readonly ip: string }[];
    /** There for a security key that was registered. */
    readonly key?: KeyData;
    /** Left out for a factor without recovery codes. */
    readonly recovery_codes?: readonly { readonly used_at: string | null }[];
  }[];
  readonly passkeys: readonly (KeyData & { readonly name: string })[];
}

/** The data kept about a security key or passkey; its public key says nothing about anybody. */
interface KeyData {
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly transports: readonly string[];
}

/** A change to an address that was asked for and not confirmed. */
export interface WaitingChange {
  /** ISO 8601, UTC; null where no mail has left yet. */
  readonly asked_at: string | null;
}

/** Exports and erases the data of a person's accounts. */
@Injectable()
export class AccountDataService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UsersService,
    private readonly changes: UserChangesService,
    private readonly roles: RolesService,
    private readonly jobs: JobQueue,
    private readonly proofs: FreshProofService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Everything about the accounts that have an address. */
  async exportAccounts(actor: Actor, email: string): Promise<AccountData[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const users = await em.find(User, { email: toAddress(email) });
    return await Promise.all(users.map((user) => this.exportOne(em, user)));
  }

  /**
   * The changes to an address that wait for it to be confirmed. They say nothing of the accounts, which are somebody
   * else's until then: anybody can ask for a change to any address, or mistype theirs.
   */
  async listWaitingChanges(actor: Actor, email: string): Promise<WaitingChange[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const users = await em.find(User, { newEmail: toAddress(email) }, { orderBy: { emailChangeSentAt: 'asc' } });
    return users.map(({ emailChangeSentAt }) => ({ asked_at: emailChangeSentAt?.toISOString() ?? null }));
  }

  /** The identities by which an address is known of accounts that have another one, or none. */
  async listClaimedIdentities(actor: Actor, email: string): Promise<ClaimedIdentity[]> {
    await this.roles.requireAdmin(actor);
    return await listClaimedIdentities(this.em.fork({ disableTransactions: true }), toAddress(email));
  }

  /** Everything about the account that asks. @throws AuthError 404 user_not_found */
  async exportOwn(userId: string): Promise<AccountData> {
    const em = this.em.fork({ disableTransactions: true });
    const user = await em.findOne(User, { id: userId });
    if (user === null) throw userNotFound();
    return await this.exportOne(em, user);
  }

  /**
   * The address of an account if its owner has shown that they read mails to it, else null. Where the address was only
   * assumed, a session that began by a mail since then shows it for itself alone: somebody else may have another one.
   */
  async findProvenAddress(userId: string, sessionId: string): Promise<string | null> {
    if (this.config.auth.mail.isAutoconfirmed) return null;
    const em = this.em.fork({ disableTransactions: true });
    const user = await em.findOne(User, { id: userId, deletedAt: null });
    if (!user?.email || !user.emailConfirmedAt) return null;
    if (isEmailProven(user)) return user.email;
    const session = await em.findOne(Session, { id: sessionId, userId });
    const mayBePhone = user.phone != null || this.config.auth.sms.isEnabled;
    return session !== null && beganByMail(session, user, mayBePhone) ? user.email : null;
  }

  /** Refuses the end of an account that may not end. @throws LastAdminException */
  async assertMayEnd(userId: string): Promise<void> {
    await this.em.fork().transactional((em) => this.roles.requireOtherAdmin(em, userId));
  }

  /**
   * Deletes the account that asks.
   * @param finish more work in the same transaction
   * @throws LastAdminException, and as {@link FreshProofService.assertStillGood}
   */
  async eraseOwn(proof: FreshProof, finish: (em: EntityManager) => Promise<void>): Promise<void> {
    const actor: Actor = { kind: 'user', userId: proof.userId };
    await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const user = await lockUserBy(em, { id: proof.userId });
        // Two at once: the other one was first.
        if (user === null) return;
        await this.proofs.assertStillGood(em, user, proof);
        await this.changes.remove(em, actor, user);
        await finish(em);
      }),
    );
  }

  /**
   * Deletes the accounts that have an address, or had it when they were deleted softly, with all that belongs to them,
   * and the address where somebody wanted to change to it.
   * @param finish what else is known by the id of an account alone, in the transaction after which nobody knows it any more
   * @returns the ids of the accounts that were deleted
   * @throws LastAdminException
   */
  async eraseAccounts(
    actor: Actor,
    email: string,
    finish: (em: EntityManager, userId: string) => Promise<void>,
  ): Promise<string[]> {
    await this.roles.requireAdmin(actor);
    const address = toAddress(email);
    const users = await this.em.fork({ disableTransactions: true }).find(User, { email: address });
    const owners = [...users, ...(await this.findFormerOwners(address))];
    for (const { id } of owners) await this.users.deleteUser(actor, id, (em) => finish(em, id));
    await this.em.fork().transactional(async (em) => {
      await this.jobs.forget(em, 'formerAddress', [address]);
      for (const user of await em.find(User, { newEmail: address })) {
        await clearOneTimeTokens(em, user);
        Object.assign(user, { newEmail: null, emailChangeSentAt: null, emailChangeConfirmations: 0 });
      }
    });
    return owners.map(({ id }) => id);
  }

  /**
   * Takes an address out of the identities of accounts that have another one, or none; these stay.
   * @returns how many identities had it
   */
  async forgetClaimedAddress(actor: Actor, email: string): Promise<number> {
    await this.roles.requireAdmin(actor);
    const address = toAddress(email);
    return await twiceIfRaced(() => this.em.fork().transactional((em) => forgetClaimedAddress(em, address)));
  }

  /** Hashes cannot be searched for: each was made for its account. */
  private async findFormerOwners(address: string): Promise<UserRow[]> {
    const users = await this.em.fork({ disableTransactions: true }).find(User, { deletedAt: { $ne: null } });
    return users.filter((user) => user.email === this.changes.hashOf(user, address));
  }

  private async exportOne(em: EntityManager, user: UserRow): Promise<AccountData> {
    const own = { userId: user.id };
    const orderBy = { createdAt: 'asc' } as const;
    const identities = await em.find(Identity, own, { orderBy });
    const sessions = await em.find(Session, own, { orderBy });
    const factors = await findFactors(em, user.id);
    const theirs = { factorId: { $in: factors.map(({ id }) => id) } };
    const challenges = await em.find(FactorChallenge, theirs, { orderBy });
    const recoveryCodes = await em.find(RecoveryCode, theirs);
    const credentials = await em.find(WebauthnCredential, own, { orderBy });
    const standing = await this.roles.findStanding(user.id);
    return {
      id: user.id,
      email: user.email ?? null,
      new_email: user.newEmail ?? null,
      phone: user.phone ?? null,
      new_phone: user.newPhone ?? null,
      phone_confirmed_at: user.phoneConfirmedAt?.toISOString() ?? null,
      is_admin: standing?.role === 'admin',
      role: standing?.role ?? null,
      may_publish: standing?.mayPublish ?? false,
      created_at: user.createdAt.toISOString(),
      email_confirmed_at: user.emailConfirmedAt?.toISOString() ?? null,
      email_assumed_at: user.emailAssumedAt?.toISOString() ?? null,
      last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
      banned_until: user.bannedUntil?.toISOString() ?? null,
      user_metadata: user.userMetadata,
      app_metadata: user.appMetadata,
      identities: identities.map(({ provider, identityData, createdAt }) => ({
        provider,
        data: identityData,
        created_at: createdAt.toISOString(),
      })),
      sessions: sessions.map(({ createdAt, userAgent, ip }) => ({
        created_at: createdAt.toISOString(),
        user_agent: userAgent ?? null,
        ip: ip ?? null,
      })),
      second_factors: factors.map((factor) => ({
        type: factor.factorType,
        name: factor.friendlyName,
        ...(factor.phone ? { phone: factor.phone } : {}),
        status: factor.status,
        created_at: factor.createdAt.toISOString(),
        last_challenged_at: factor.lastChallengedAt?.toISOString() ?? null,
        challenges: challenges
          .filter(({ factorId }) => factorId === factor.id)
          .map(({ createdAt, ip }) => ({ created_at: createdAt.toISOString(), ip })),
        ...Object.fromEntries(
          credentials.filter(({ factorId }) => factorId === factor.id).map((key) => ['key', toKeyData(key)]),
        ),
        ...(factor.factorType === 'recovery_code'
          ? { recovery_codes: recoveryCodes.map(({ usedAt }) => ({ used_at: usedAt?.toISOString() ?? null })) }
          : {}),
      })),
      passkeys: credentials
        .filter(({ factorId }) => factorId == null)
        .map((passkey) => ({ name: passkey.friendlyName, ...toKeyData(passkey) })),
    };
  }
}

function toKeyData({ createdAt, lastUsedAt, transports }: WebauthnCredentialRow): KeyData {
  return { created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null, transports };
}

/** Methods of sessions that began by a mail; a code by phone is an `otp` too. */
const MAIL_METHODS: ReadonlySet<string> = new Set(['otp', 'magiclink', 'recovery', 'invite', 'email/signup']);

function beganByMail({ amr, createdAt }: SessionRow, { emailAssumedAt }: UserRow, mayBePhone: boolean): boolean {
  // By then the account may have had another address.
  if (emailAssumedAt && createdAt <= emailAssumedAt) return false;
  return amr.some(({ method }) => MAIL_METHODS.has(method) && (method !== 'otp' || !mayBePhone));
}

/** An address as accounts have it. */
function toAddress(email: string): string {
  return email.trim().toLowerCase();
}
