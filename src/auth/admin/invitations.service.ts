import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RolesService } from '../../roles/roles.service.js';
import { userIdOf, type Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { changeMetadata, emailExists, lockUserBy, presentUser, withUniqueAddresses } from '../accounts/user-records.js';
import type { Metadata, UserRow } from '../accounts/user.entity.js';
import type { Json } from '../accounts/user.presenter.js';
import { readEmail } from '../api/input-rules.js';
import { AuthMailsService } from '../mails/auth-mails.service.js';
import { UserChangesService } from './user-changes.service.js';

/** Somebody to invite. */
export interface Invitation {
  readonly email: string;
  readonly data: Metadata;
  /** Undefined: that of everybody. */
  readonly audience?: string | undefined;
  /** Target of the link, an allowed address; undefined: the site. */
  readonly redirectTo?: string;
}

/** Invites people by mail: who reads it chooses a password. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: UserChangesService,
    private readonly mails: AuthMailsService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Mails an invitation, again if the address is not confirmed yet.
   * @param finish more work in the same transaction
   * @throws AuthError 400 validation_failed, 422 email_exists, 429 over_email_send_rate_limit
   */
  async invite(
    actor: Actor,
    invitation: Invitation,
    finish?: (em: EntityManager, userId: string) => Promise<void>,
  ): Promise<Json> {
    await this.roles.requireAdmin(actor);
    const { redirectTo = this.config.auth.siteUrl } = invitation;
    return await withUniqueAddresses(() =>
      this.em.fork().transactional(async (em) => {
        const user = await this.prepare(em, actor, invitation);
        const wish = { action: 'invite', redirectTo, isPkce: false, invitedBy: userIdOf(actor) } as const;
        // The limits by client are for strangers.
        await this.mails.request(em, user, wish, null);
        await em.flush();
        await finish?.(em, user.id);
        return await presentUser(em, user);
      }),
    );
  }

  /**
   * The invited user, locked; created where there is none. Who has signed up with the address, without a proof that it
   * is theirs, keeps no password to the account of whoever reads the mail.
   * @throws AuthError 400 validation_failed, 422 email_exists
   */
  async prepare(em: EntityManager, actor: Actor, { email, data, audience }: Invitation): Promise<UserRow> {
    const address = readEmail(email);
    const known = await lockUserBy(em, { email: address });
    if (known?.emailConfirmedAt) throw emailExists();
    const input = { aud: audience ?? this.config.auth.jwt.audience, email: address, data, isSelfSignup: false };
    const user = known ?? (await this.changes.create(em, actor, input, []));
    // A sign-in proves nothing about the address by itself: imported accounts may have had one without a confirmation.
    if (!user.lastSignInAt || !user.phoneConfirmedAt) user.passwordHash = null;
    if (known !== null) changeMetadata(user, { data });
    user.invitedAt = this.clock.now();
    await this.audit.recordForUser(em, actor, 'user.invited', user.id);
    return user;
  }
}
