import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../shared/actor.js';
import { GuessesService } from '../guesses/guesses.service.js';
import type { FactorRow } from './factor.entity.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { removeFactor } from './factor-records.js';

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

  /** Removes a factor, in a transaction that holds its user; sessions that it raised fall back to aal1. */
  async remove(em: EntityManager, actor: Actor, factor: FactorRow): Promise<void> {
    await removeFactor(em, factor);
    await this.guesses.eraseFactor(em, factor.id);
    // Nobody can tell one that was never verified from one that was never there.
    if (factor.status === 'verified') await this.tell(em, actor, 'factor_removed', factor);
  }

  /** The one place that hears of every change of second factors. */
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
