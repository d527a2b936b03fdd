import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthMailsService } from '../mails/auth-mails.service.js';
import type { Caller } from '../api/caller.js';
import type { Challenge } from '../api/input-rules.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { endAddressChange } from '../codes/one-time-tokens.js';
import { PhoneCodesService } from '../codes/phone-codes.service.js';
import { PkceService } from '../sessions/pkce.service.js';
import { adoptAddress, assertFree, clearOneTimeTokens } from './user-records.js';
import type { UserRow } from './user.entity.js';

/** Changes of a user's address: asked for, confirmed, carried out. */
@Injectable()
export class EmailChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly mails: AuthMailsService,
    private readonly phoneCodes: PhoneCodesService,
    private readonly pkce: PkceService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks for a new address; it counts when it is confirmed.
   * @throws AuthError 422 email_exists, 429
   */
  async request(em: EntityManager, user: UserRow, email: string, challenge: Challenge, caller: Caller): Promise<void> {
    if (email === user.email) return;
    await assertFree(em, { email });
    // Now, not when the next mails leave: whoever has the former links could confirm an address that nobody has shown.
    if (email !== user.newEmail) await endAddressChange(em, user);
    user.newEmail = email;
    user.emailChangeConfirmations = 0;
    if (this.config.auth.mail.isAutoconfirmed) {
      await this.complete(em, user, this.clock.now(), { isAssumed: true });
      return;
    }
    const isPkce = challenge !== null;
    const wish = { action: 'email_change', redirectTo: caller.redirectTo, isPkce } as const;
    await this.mails.request(em, user, wish, caller.ip);
    await this.pkce.begin(em, user, 'email_change', challenge);
  }

  /** Asks for a new phone number; it counts when it is confirmed. */
  async requestPhone(em: EntityManager, user: UserRow, phone: string): Promise<void> {
    if (phone === user.phone) return;
    await assertFree(em, { phone });
    user.newPhone = phone;
    if (this.config.auth.sms.isAutoconfirmed) await this.completePhone(em, user, this.clock.now());
    else await this.phoneCodes.send(em, user, phone, 'phone_change');
  }

  /**
   * Puts the new address in place of the old one; links and codes that went to that one are void.
   * @param isAssumed true when nobody has shown that they read the mails of the new one
   */
  async complete(
    em: EntityManager,
    user: UserRow,
    now: Date,
    { isAssumed }: { readonly isAssumed: boolean },
  ): Promise<void> {
    if (!user.newEmail) return;
    const formerAddress = user.emailConfirmedAt ? user.email : null;
    user.email = user.newEmail;
    user.newEmail = null;
    user.emailChangeConfirmations = 0;
    user.emailConfirmedAt ??= now;
    user.emailAssumedAt = isAssumed ? now : null;
    await clearOneTimeTokens(em, user);
    await adoptAddress(em, user, 'email', true, now);
    await this.notices.tell(em, user.id, { kind: 'email_changed' }, { formerAddress });
  }

  /** Puts the new phone number in place of the old one, as {@link complete} does. */
  async completePhone(em: EntityManager, user: UserRow, now: Date): Promise<void> {
    if (!user.newPhone) return;
    user.phone = user.newPhone;
    user.newPhone = null;
    user.phoneConfirmedAt ??= now;
    await clearOneTimeTokens(em, user);
    await adoptAddress(em, user, 'phone', true, now);
  }
}
