import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SignedInUser } from '../../http/signed-in-user.js';
import { Clock } from '../../shared/clock.js';
import { User } from '../accounts/user.entity.js';
import { DerivedKeysService } from '../keys/derived-keys.service.js';
import { Session } from '../sessions/session.entity.js';
import { AuthenticationService, isBanned, isUuid } from './authentication.service.js';
import { isSameSignature } from './is-same-signature.js';

/**
 * Signs texts that stand for a session where no header Authorization can be sent, such as in the cookie of a page. One
 * is worth nothing without its session: who signed out, or was banned, is nobody at once.
 */
@Injectable()
export class SessionTicketsService {
  constructor(
    private readonly em: EntityManager,
    private readonly keys: DerivedKeysService,
    private readonly authentication: AuthenticationService,
    private readonly clock: Clock,
  ) {}

  /** @param purpose a ticket for one is none for another */
  issue(purpose: string, sessionId: string, lifetimeSeconds: number): string {
    const expires = Math.floor(this.clock.now().getTime() / 1000) + lifetimeSeconds;
    const text = `${sessionId}.${expires}`;
    return `${text}.${this.sign(purpose, text)}`;
  }

  /** Returns whose session a ticket stands for; null for one that is wrong, has expired or outlived its session. */
  async find(purpose: string, ticket: string): Promise<SignedInUser | null> {
    const [sessionId = '', expires = '', signature = '', ...rest] = ticket.split('.');
    if (rest.length > 0 || !isSameSignature(signature, this.sign(purpose, `${sessionId}.${expires}`))) return null;
    if (Number(expires) * 1000 <= this.clock.now().getTime() || !isUuid(sessionId)) return null;
    const em = this.em.fork({ disableTransactions: true });
    const session = await em.findOne(Session, { id: sessionId });
    const user = session === null ? null : await em.findOne(User, { id: session.userId, deletedAt: null });
    if (session === null || user === null || isBanned(user, this.clock.now())) return null;
    if (await this.authentication.lacksSecondFactor(session)) return null;
    return { id: user.id, email: user.email ?? null, sessionId, aal: session.aal };
  }

  private sign(purpose: string, text: string): string {
    return createHmac('sha256', this.keys.keyFor(`session ticket: ${purpose}`))
      .update(text)
      .digest('base64url');
  }
}
