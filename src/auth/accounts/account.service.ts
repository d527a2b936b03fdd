import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { AuthMailsService } from '../mails/auth-mails.service.js';
import { AuthenticationService, type Authenticated } from '../tokens/authentication.service.js';
import type { Caller } from '../api/caller.js';
import { EmailChangesService } from './email-changes.service.js';
import { FreshProofService, type FreshProof } from './fresh-proof.service.js';
import { readChallenge, readEmail, readPhone } from '../api/input-rules.js';
import { PasswordChangesService, type Proof } from '../passwords/password-changes.service.js';
import { assertSecondFactor } from '../factors/factor-records.js';
import { PhoneCodesService } from '../codes/phone-codes.service.js';
import type { UpdateBody } from '../api/request-bodies.js';
import type { SessionRow } from '../sessions/session.entity.js';
import { SessionsService, type LogoutScope } from '../sessions/sessions.service.js';
import { changeMetadata, presentUser, withUniqueAddresses } from './user-records.js';
import type { UserRow } from './user.entity.js';
import type { Json } from './user.presenter.js';

const SCOPES: readonly string[] = ['global', 'local', 'others'] satisfies LogoutScope[];

/** The calls about one's own account, which need a session (auth-api.md 3.10 and 3.11). */
@Injectable()
export class AccountService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly authentication: AuthenticationService,
    private readonly passwordChanges: PasswordChangesService,
    private readonly emailChanges: EmailChangesService,
    private readonly freshProofs: FreshProofService,
    private readonly mails: AuthMailsService,
    private readonly phoneCodes: PhoneCodesService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** GET /user. */
  async show(caller: Caller): Promise<Json> {
    const em = this.em.fork({ disableTransactions: true });
    const { user } = await this.authenticate(em, caller);
    return await presentUser(em, user);
  }

  /** PUT /user: changes what the body names. */
  async update(body: UpdateBody, caller: Caller): Promise<Json> {
    const proof = await this.prove(body, caller);
    const addressProof = await this.proveForAddress(body, caller);
    return await withUniqueAddresses(() =>
      this.messaging(async (em) => {
        // From here on nobody else changes this user.
        const { user, session } = await this.lock(em, caller);
        const challenge = readChallenge(body);
        const email = body.email === '' ? undefined : readEmail(body.email);
        const phone = body.phone === '' ? undefined : readPhone(body.phone);
        assertMayUpdate(user, body, email ?? phone);
        await assertMayChange(em, user, session, { email, phone, password: body.password });
        if (addressProof !== null) await this.freshProofs.assertStillGood(em, user, addressProof);
        if (proof !== null) await this.passwordChanges.change(em, user, session, body, proof);
        changeMetadata(user, { data: body.data });
        user.updatedAt = this.clock.now();
        if (email !== undefined) await this.emailChanges.request(em, user, email, challenge, caller);
        if (phone !== undefined) await this.emailChanges.requestPhone(em, user, phone);
        await em.flush();
        return await presentUser(em, user);
      }),
    );
  }

  private async messaging<T>(task: (em: EntityManager) => Promise<T>): Promise<T> {
    return await this.phoneCodes.whileSending(() => this.em.fork().transactional(task));
  }

  /** Null without a new password. */
  private async prove(body: UpdateBody, caller: Caller): Promise<Proof | null> {
    if (body.password === undefined) return null;
    const em = this.em.fork({ disableTransactions: true });
    const { user, session } = await this.authenticate(em, caller);
    assertMayUpdate(user, body, body.email || body.phone || undefined);
    await assertMayChange(em, user, session, { password: body.password });
    return await this.passwordChanges.prove(user, session, body);
  }

  /** Null where none is asked for: whoever has no address yet has nothing to prove it with. */
  private async proveForAddress(body: UpdateBody, caller: Caller): Promise<FreshProof | null> {
    if (!this.config.auth.isAddressProofRequired) return null;
    const email = body.email === '' ? undefined : readEmail(body.email);
    const phone = body.phone === '' ? undefined : readPhone(body.phone);
    const em = this.em.fork({ disableTransactions: true });
    const { user, session } = await this.authenticate(em, caller);
    const isChanged = (email ?? user.email) !== user.email || (phone ?? user.phone) !== user.phone;
    if (!isChanged || user.isAnonymous) return null;
    assertMayUpdate(user, body, email ?? phone);
    await assertMayChange(em, user, session, { email, phone });
    // A token that names no session is of a program, which can show nothing.
    if (session === null) throw new AuthError(403, 'session_not_found', 'Your session has ended. Sign in again.');
    return await this.freshProofs.prove(user.id, session.id, body.current_password);
  }

  /** GET /reauthenticate: sends a code that proves that the person still reads their mail. */
  async reauthenticate(caller: Caller): Promise<Record<string, never>> {
    return await this.messaging(async (em) => {
      const { user } = await this.lock(em, caller);
      if (user.email) {
        if (!user.emailConfirmedAt) throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
        const wish = { action: 'reauthentication', redirectTo: caller.redirectTo, isPkce: false } as const;
        await this.mails.request(em, user, wish, caller.ip);
      } else if (user.phone) {
        if (!user.phoneConfirmedAt) throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.');
        await this.phoneCodes.send(em, user, user.phone, 'reauthentication');
      } else {
        throw invalid('Reauthentication requires the user to have an email or a phone number');
      }
      return {};
    });
  }

  /** POST /logout: ends sessions, at once on this API. */
  async logOut(scope: string, caller: Caller): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      // Whoever changes several sessions of a user holds the user: two who do would wait for each other otherwise.
      const { user, session } = await this.authentication.lock(em, caller.bearer);
      if (!isScope(scope)) throw invalid(`Unsupported logout scope "${scope}"`);
      await this.sessions.end(em, user.id, scope, session?.id);
    });
  }

  private async authenticate(em: EntityManager, caller: Caller): Promise<Authenticated> {
    return this.assertAudience(await this.authentication.authenticate(caller.bearer, em), caller);
  }

  private async lock(em: EntityManager, caller: Caller): Promise<Authenticated> {
    return this.assertAudience(await this.authentication.lock(em, caller.bearer), caller);
  }

  private assertAudience(authenticated: Authenticated, caller: Caller): Authenticated {
    const { claims } = authenticated;
    const expected = caller.audience ?? claims.aud ?? this.config.auth.jwt.audience;
    if ([claims.aud].flat().some((aud) => [expected].flat().includes(aud ?? ''))) return authenticated;
    throw invalid("Token audience doesn't match request audience");
  }
}

function isScope(scope: string): scope is LogoutScope {
  return SCOPES.includes(scope);
}

/** Refuses changes of what somebody signs in with, unless {@link assertSecondFactor} admits them. */
async function assertMayChange(
  em: EntityManager,
  user: UserRow,
  session: SessionRow | null,
  changes: {
    readonly email?: string | undefined;
    readonly phone?: string | undefined;
    readonly password?: string | undefined;
  },
): Promise<void> {
  const { email = user.email, phone = user.phone, password = '' } = changes;
  if (password === '' && email === user.email && phone === user.phone) return;
  await assertSecondFactor(em, user, session);
}

function assertMayUpdate(user: UserRow, body: UpdateBody, address: string | undefined): void {
  if (body.app_metadata != null) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  }
  assertMayHavePassword(user, body, address);
}

/** A password alone would be a key to an account that nobody can name. */
function assertMayHavePassword(user: UserRow, body: UpdateBody, address: string | undefined): void {
  if (!user.isAnonymous || !body.password || address !== undefined) return;
  const message = 'Updating password of an anonymous user without an email or phone is not allowed';
  throw new AuthError(422, 'validation_failed', message);
}
