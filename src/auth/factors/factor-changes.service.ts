import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../shared/actor.js';
import { GuessesService } from '../guesses/guesses.service.js';
import type { FactorRow } from './factor.entity.js';
import { AccountNoticesService, type AccountEvent } from '../mails/account-notices.service.js';
import { findFactors, isChallenged, removeFactor } from './factor-records.js';

/** An event of recovery codes, with the number that is left then. */
type CodesEvent = Extract<AccountEvent, { readonly left: number }>;

/** Carries out what changes somebody's second factors for good, and tells of it. */
@Injectable()
export class FactorChangesService {
  constructor(
    private readonly audit: AuditService,
    private readonly guesses: GuessesService,
    private readonly notices: AccountNoticesService,
  ) {}

  /** Takes a factor as verified, in a transaction that holds its user. */
  async confirm(em: EntityManager, actor: Actor, factor: FactorRow): Promise<void> {
    factor.status = 'verified';
    await this.tell(em, actor, 'factor_added', factor);
  }

  /**
   * Removes a factor, in a transaction that holds its user; sessions that it raised fall back to aal1. Recovery codes go
   * with the last factor that they stand in for (decision 67).
   */
  async remove(em: EntityManager, actor: Actor, factor: FactorRow): Promise<void> {
    await this.removeOne(em, actor, factor);
    const left = (await findFactors(em, factor.userId)).filter(({ status }) => status === 'verified');
    if (left.some(isChallenged)) return;
    for (const codes of left) await this.removeOne(em, actor, codes);
  }

  /** The one place that hears of every change of recovery codes. */
  async tellOfCodes(em: EntityManager, actor: Actor, { userId }: FactorRow, event: CodesEvent): Promise<void> {
    await this.audit.recordForUser(em, actor, `user.${event.kind}`, userId, { left: event.left });
    await this.notices.tell(em, userId, event);
  }

  private async removeOne(em: EntityManager, actor: Actor, factor: FactorRow): Promise<void> {
    await removeFactor(em, factor);
    await this.guesses.eraseFactor(em, factor.id);
    if (!isChallenged(factor)) {
      return await this.tellOfCodes(em, actor, factor, { kind: 'recovery_codes_removed', left: 0 });
    }
    // Nobody can tell one that was never verified from one that was never there.
    if (factor.status === 'verified') await this.tell(em, actor, 'factor_removed', factor);
  }

  /** The one place that hears of every change of other second factors. */
  private async tell(
    em: EntityManager,
    actor: Actor,
    kind: 'factor_added' | 'factor_removed',
    { userId, factorType: type, friendlyName: name }: FactorRow,
  ): Promise<void> {
    await this.audit.recordForUser(em, actor, `user.${kind}`, userId, { type, name });
    await this.notices.tell(em, userId, { kind, type, name });
  }
}
