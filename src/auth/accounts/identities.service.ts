import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import { AuthError } from '../auth.error.js';
import type { BegunFlow } from '../external/provider-flows.service.js';
import { ProviderSignInService, type AuthorizeRequest } from '../external/provider-sign-in.service.js';
import { assertSecondFactor } from '../factors/factor-records.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { sessionNotFound } from '../sessions/sessions.service.js';
import { isUuid } from '../tokens/authentication.service.js';
import { Identity } from './identity.entity.js';
import { clearOneTimeTokens, mergeMetadata } from './user-records.js';
import type { Metadata, UserRow } from './user.entity.js';

/** Linking and unlinking the identities of one's own account (auth-api.md 7.4). */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly em: EntityManager,
    private readonly providerSignIns: ProviderSignInService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /** GET /user/identities/authorize: begins a flow that links an identity at the provider to the caller. */
  async link(request: AuthorizeRequest, caller: Caller): Promise<BegunFlow> {
    const { user, session } = await this.providerSignIns.assertLinking(caller);
    this.providerSignIns.assertConfigured(request.provider);
    if (session === null) throw sessionNotFound();
    await assertSecondFactor(this.em.fork({ disableTransactions: true }), user, session);
    return await this.providerSignIns.begin(request, caller, session);
  }

  /** DELETE /user/identities/{id}: the address of the identity goes with it, unless another identity has it too. */
  async unlink(id: string, caller: Caller): Promise<Record<string, never>> {
    return await this.em.fork().transactional(async (em) => {
      // From here on nobody else changes this user: of two calls at once, one finds the last identity.
      const { user, session } = await this.providerSignIns.lockForLinking(em, caller);
      if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
      const identities = await em.find(
        Identity,
        { userId: user.id },
        { orderBy: { createdAt: 'asc', provider: 'asc' } },
      );
      if (identities.length <= 1) {
        const message = 'User must have at least 1 identity after unlinking';
        throw new AuthError(422, 'single_identity_not_deletable', message);
      }
      const identity = identities.find((candidate) => candidate.id === id.toLowerCase());
      if (identity === undefined) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
      await assertSecondFactor(em, user, session);
      em.remove(identity);
      const others = identities.filter((other) => other !== identity);
      const formerAddress = user.emailConfirmedAt ? user.email : null;
      const channel = identity.provider === 'phone' ? 'phone' : 'email';
      if (channel === 'phone' || !others.some(({ email }) => email === user.email)) {
        for (const other of others) other.identityData = withoutAddress(other.identityData, channel, user);
        dropAddress(user, channel);
        await clearOneTimeTokens(em, user);
      }
      const providers = [...new Set(others.map(({ provider }) => provider))];
      user.appMetadata = { ...user.appMetadata, provider: providers[0], providers };
      user.updatedAt = this.clock.now();
      // The address that goes with the identity hears of it.
      const lost = user.email == null ? { formerAddress } : {};
      await this.notices.tell(em, user.id, { kind: 'identity_unlinked', provider: identity.provider }, lost);
      return {};
    });
  }
}

/** Takes the address from a user, and a change of it that was waiting. */
function dropAddress(user: UserRow, channel: 'email' | 'phone'): void {
  user.userMetadata = withoutAddress(user.userMetadata, channel, user);
  if (channel === 'phone') Object.assign(user, { phone: null, phoneConfirmedAt: null, newPhone: null });
  else {
    const noChange = { newEmail: null, emailChangeConfirmations: 0 };
    Object.assign(user, { email: null, emailConfirmedAt: null, emailAssumedAt: null, ...noChange });
  }
}

/** The metadata without the facts about the address of a user. */
function withoutAddress(metadata: Metadata, channel: 'email' | 'phone', user: UserRow): Metadata {
  if (metadata[channel] !== user[channel]) return metadata;
  return mergeMetadata(metadata, { [channel]: null, [`${channel}_verified`]: false });
}
