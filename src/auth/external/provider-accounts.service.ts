import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ProviderConfig } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RolesService } from '../../roles/roles.service.js';
import { Clock } from '../../shared/clock.js';
import { Identity, type IdentityRow } from '../accounts/identity.entity.js';
import {
  changeMetadata,
  clearOneTimeTokens,
  createUser,
  lockUserBy,
  signupDisabled,
} from '../accounts/user-records.js';
import { isEmailProven, User, type UserRow } from '../accounts/user.entity.js';
import { AuthError } from '../auth.error.js';
import { Factor } from '../factors/factor.entity.js';
import { FlowState } from '../sessions/flow-state.entity.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AuthenticationService } from '../tokens/authentication.service.js';
import { WebauthnCredential } from '../webauthn/webauthn-credential.entity.js';
import type { ProviderPerson } from './provider-person.js';

/**
 * Finds, makes and links the accounts of people whom the provider knows, in the transaction of `em`
 * (decision 70, auth-api.md 7.5).
 */
@Injectable()
export class ProviderAccountsService {
  private readonly logger = new Logger('SignInProvider');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly authentication: AuthenticationService,
    private readonly sessions: SessionsService,
    private readonly roles: RolesService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /**
   * The user whose identity this is, or who has the verified address, or a new one; locked.
   * @throws AuthError 403 user_banned, 422 email_address_not_provided, identity_already_exists,
   * provider_email_needs_verification, signup_disabled
   */
  async enter(em: EntityManager, provider: ProviderConfig, person: ProviderPerson): Promise<UserRow> {
    const known = await findIdentity(em, provider, person);
    if (known !== null && !isOfIssuer(known, provider, person)) {
      this.logger.warn(
        { identity: known.id },
        'Somebody has the id that somebody else had at the former issuer: give this one another AUTH_OIDC_PROVIDER',
      );
      throw alreadyLinked(' to another user');
    }
    const user = known === null ? await this.adopt(em, provider, person) : await this.enterAgain(em, known, person);
    await em.flush();
    if (person.isAdmin !== undefined) await this.roles.followProvider(em, user.id, person.isAdmin);
    return user;
  }

  /**
   * Checks that an identity can be linked to that user.
   * @throws AuthError 422 identity_already_exists
   */
  async assertLinkable(
    em: EntityManager,
    user: Pick<UserRow, 'id'>,
    provider: ProviderConfig,
    person: ProviderPerson,
  ): Promise<void> {
    const known = await findIdentity(em, provider, person);
    if (known === null) return;
    throw alreadyLinked(known.userId === user.id ? '' : ' to another user');
  }

  /** Links an identity to a user who is locked. @throws AuthError 422 identity_already_exists */
  async link(em: EntityManager, user: UserRow, provider: ProviderConfig, person: ProviderPerson): Promise<void> {
    await this.assertLinkable(em, user, provider, person);
    const { email } = person;
    this.addIdentity(em, user, provider, person);
    user.isAnonymous = false;
    const isFree = person.isEmailVerified && email !== null && (await em.count(User, having(email))) === 0;
    if (user.email == null && isFree) Object.assign(user, { email, emailConfirmedAt: this.clock.now() });
    takeAsProven(user, person);
    await em.flush();
    await this.tellOfLink(em, user, provider);
  }

  private async enterAgain(em: EntityManager, identity: IdentityRow, person: ProviderPerson): Promise<UserRow> {
    const user = await lockUserBy(em, { id: identity.userId });
    // Deleted since: the identity is nobody's by now.
    if (user === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    const now = this.clock.now();
    this.authentication.assertNotBanned(user);
    Object.assign(identity, {
      identityData: person.facts,
      email: person.email,
      lastSignInAt: now,
      updatedAt: now,
    });
    takeAsProven(user, person);
    this.addFacts(user, person);
    return user;
  }

  /** An address opens an account only where the provider vouches for it. */
  private async adopt(em: EntityManager, provider: ProviderConfig, person: ProviderPerson): Promise<UserRow> {
    const { email } = person;
    if (email === null) {
      throw new AuthError(422, 'email_address_not_provided', 'Error getting user email from external provider');
    }
    if (!person.isEmailVerified) {
      const message = `Unverified email with ${provider.id}. Verify the email with ${provider.id} in order to sign in`;
      throw new AuthError(422, 'provider_email_needs_verification', message);
    }
    const existing = await lockUserBy(em, { email });
    const user = existing ?? this.create(em, email);
    this.authentication.assertNotBanned(user);
    if (existing !== null && !this.isProven(existing)) await this.takeOver(em, existing);
    this.addIdentity(em, user, provider, person);
    this.addFacts(user, person);
    if (existing !== null) await this.tellOfLink(em, user, provider);
    return user;
  }

  private async tellOfLink(em: EntityManager, { id }: UserRow, provider: ProviderConfig): Promise<void> {
    await this.notices.tell(em, id, { kind: 'identity_linked', provider: provider.id });
  }

  private create(em: EntityManager, email: string): UserRow {
    if (this.config.auth.isSignupDisabled) throw signupDisabled();
    const now = this.clock.now();
    const aud = this.config.auth.jwt.audience;
    const user = createUser(em, { aud, data: {}, isSelfSignup: false }, now);
    return Object.assign(user, { email, emailConfirmedAt: now });
  }

  /** True for a user who has shown that they read the mail of their address. */
  private isProven(user: UserRow): boolean {
    return isEmailProven(user) && !this.config.auth.mail.isAutoconfirmed;
  }

  /**
   * Gives an account to the owner of its address, which whoever signed up with it has never shown to be: everything by
   * which they could come in again ends.
   */
  private async takeOver(em: EntityManager, user: UserRow): Promise<void> {
    await this.sessions.end(em, user.id, 'global', undefined);
    await clearOneTimeTokens(em, user);
    await em.nativeDelete(FlowState, { userId: user.id });
    await em.nativeDelete(Factor, { userId: user.id });
    await em.nativeDelete(WebauthnCredential, { userId: user.id });
    await em.nativeDelete(Identity, { userId: user.id });
    const { provider: _provider, providers: _providers, ...appMetadata } = user.appMetadata;
    Object.assign(user, {
      emailConfirmedAt: this.clock.now(),
      emailAssumedAt: null,
      passwordHash: null,
      phone: null,
      phoneConfirmedAt: null,
      newEmail: null,
      newPhone: null,
      emailChangeConfirmations: 0,
      userMetadata: {},
      appMetadata,
    });
  }

  /** Adds the words of the provider, which stand in the identity as well, to metadata that have room for them. */
  private addFacts(user: UserRow, { facts }: ProviderPerson): void {
    try {
      changeMetadata(user, { data: facts });
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      this.logger.warn({ user: user.id }, 'The metadata of an account have no room for what the provider tells');
    }
  }

  private addIdentity(em: EntityManager, user: UserRow, provider: ProviderConfig, person: ProviderPerson): void {
    const now = this.clock.now();
    em.persist(
      em.create(Identity, {
        id: randomUUID(),
        userId: user.id,
        provider: provider.id,
        providerId: person.sub,
        identityData: person.facts,
        email: person.email,
        lastSignInAt: now,
        createdAt: now,
        updatedAt: now,
      }),
    );
    const providers = (user.appMetadata['providers'] as string[] | undefined) ?? [];
    user.appMetadata = { provider: provider.id, ...user.appMetadata, providers: union(providers, provider.id) };
    user.updatedAt = now;
  }
}

/** The provider vouches for who comes from there; so it does for their address here, where it is the same. */
function takeAsProven(user: UserRow, { email, isEmailVerified }: ProviderPerson): void {
  if (isEmailVerified && email !== null && email === user.email) user.emailAssumedAt = null;
}

/**
 * Returns false for an identity of another issuer, which had the name of the provider before. People have their ids at
 * their issuer alone (OpenID Connect Core, section 2): with the same verified address it is the same person.
 */
function isOfIssuer({ identityData, email }: IdentityRow, { issuer }: ProviderConfig, person: ProviderPerson): boolean {
  const { iss = issuer } = identityData;
  return iss === issuer || (person.isEmailVerified && person.email === email);
}

function alreadyLinked(whose: string): AuthError {
  return new AuthError(422, 'identity_already_exists', `Identity is already linked${whose}`);
}

function union(names: readonly string[], name: string): string[] {
  return [...new Set([...names, name])];
}

function having(email: string) {
  return { email, isSsoUser: false };
}

async function findIdentity(
  em: EntityManager,
  { id: provider }: ProviderConfig,
  { sub: providerId }: ProviderPerson,
): Promise<IdentityRow | null> {
  return await em.findOne(Identity, { provider, providerId });
}
