import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import {
  changeMetadata,
  emailExists,
  lockUserBy,
  presentUser,
  userNotFound,
  withUniqueAddresses,
} from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';
import type { Json } from '../accounts/user.presenter.js';
import type { Caller } from '../api/caller.js';
import { readEmail } from '../api/input-rules.js';
import { chooseRedirect } from '../api/redirect-target.js';
import type { LinkBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { LinkTokensService } from '../codes/link-tokens.service.js';
import type { OneTimeTokenType } from '../codes/one-time-token.entity.js';
import { endAddressChange } from '../codes/one-time-tokens.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { InvitationsService } from './invitations.service.js';
import { UserChangesService } from './user-changes.service.js';

/** The types of links that a program can ask for, and the tokens that they spend. */
const TOKEN_TYPES = {
  signup: 'confirmation',
  invite: 'confirmation',
  magiclink: 'recovery',
  recovery: 'recovery',
  email_change_current: 'email_change_current',
  email_change_new: 'email_change_new',
} as const satisfies Record<string, OneTimeTokenType>;

type LinkType = keyof typeof TOKEN_TYPES;

/** A request for a link, checked. */
interface LinkWish {
  readonly type: LinkType;
  readonly email: string;
  /** Hash of the password of somebody new, where the type takes one. */
  readonly passwordHash: string | null;
}

/** Makes links and codes for programs that send mails of their own (auth-api.md 5.4). */
@Injectable()
export class GeneratedLinksService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChangesService,
    private readonly invitations: InvitationsService,
    private readonly links: LinkTokensService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** POST /admin/generate_link: mails nothing. */
  async generate(actor: Actor, body: LinkBody, caller: Caller): Promise<Json> {
    const wish = await this.readWish(body);
    const redirectTo = chooseRedirect([body.redirect_to, caller.redirectTo], this.config.auth);
    return await withUniqueAddresses(() =>
      this.em.fork().transactional(async (em) => {
        const user = await this.prepare(em, actor, wish, body, caller.audience);
        user.updatedAt = this.clock.now();
        await em.flush();
        const { type, address } = { type: wish.type, address: addressOf(user, wish.type) };
        const token = { type: TOKEN_TYPES[type], purpose: type, address, isPkce: false, name: randomUUID() };
        const { otp, tokenHash } = await this.links.issue(em, user, token);
        await this.audit.recordForUser(em, actor, 'user.link_generated', user.id, { type });
        return {
          ...(await presentUser(em, user)),
          action_link: this.links.verifyUrl(tokenHash, type.replace(/^email_change_.*/, 'email_change'), redirectTo),
          email_otp: otp,
          hashed_token: tokenHash,
          verification_type: type,
          redirect_to: redirectTo,
        };
      }),
    );
  }

  /**
   * Makes a link that signs a user in once, in the transaction of `em`, for a browser whose user has just shown who they
   * are: nothing is mailed.
   * @param redirectTo an address that links may lead to
   */
  async issueSignIn(em: EntityManager, userId: string, redirectTo: string): Promise<string> {
    const user = await lockUserBy(em, { id: userId });
    if (user === null) throw userNotFound();
    const token = {
      type: 'recovery',
      purpose: 'magiclink',
      address: addressOf(user, 'magiclink'),
      isPkce: false,
      name: randomUUID(),
    } as const;
    user.recoverySentAt = this.clock.now();
    await em.flush();
    const { tokenHash } = await this.links.issue(em, user, token);
    return this.links.verifyUrl(tokenHash, 'magiclink', redirectTo);
  }

  /** For somebody new, a magic link is one that signs up. @throws AuthError 400, 404 user_not_found, 422 */
  private async readWish(body: LinkBody): Promise<LinkWish> {
    if (!isLinkType(body.type)) throw invalid(`Invalid email action link type requested: ${body.type}`);
    const email = readEmail(body.email);
    const where = { email, isSsoUser: false, deletedAt: null };
    const isKnown = (await this.em.fork({ disableTransactions: true }).count(User, where)) > 0;
    if (isKnown || body.type === 'invite') return { type: body.type, email, passwordHash: null };
    if (body.type === 'magiclink') return { type: 'signup', email, passwordHash: null };
    if (body.type !== 'signup') throw new AuthError(404, 'user_not_found', 'User with this email not found');
    if (body.password === '') throw invalid('Signup requires a valid password');
    await this.passwords.assertStrong(body.password, email);
    return { type: 'signup', email, passwordHash: await this.passwords.hash(body.password) };
  }

  /** The user of the link, locked, with the time of this request. */
  private async prepare(
    em: EntityManager,
    actor: Actor,
    { type, email, passwordHash }: LinkWish,
    body: LinkBody,
    audience: string | undefined,
  ): Promise<UserRow> {
    const now = this.clock.now();
    if (type === 'invite') {
      const user = await this.invitations.prepare(em, actor, { email, data: body.data, audience });
      return Object.assign(user, { confirmationSentAt: now });
    }
    const known = await lockUserBy(em, { email });
    if (type === 'signup') {
      if (known?.emailConfirmedAt) throw emailExists();
      const input = { aud: audience ?? this.config.auth.jwt.audience, email, passwordHash, data: body.data };
      const user = known ?? (await this.changes.create(em, actor, { ...input, isSelfSignup: false }, []));
      if (known !== null) changeMetadata(user, { data: body.data });
      return Object.assign(user, { confirmationSentAt: now });
    }
    // Deleted since it was looked for.
    if (known === null) throw new AuthError(404, 'user_not_found', 'User with this email not found');
    if (type === 'magiclink' || type === 'recovery') return Object.assign(known, { recoverySentAt: now });
    return await this.prepareChange(em, known, type, body.new_email);
  }

  /** A change to another address than the one that waits voids its links: they were for that one. */
  private async prepareChange(em: EntityManager, user: UserRow, type: LinkType, newEmail: string): Promise<UserRow> {
    if (type === 'email_change_current' && !this.config.auth.mail.isChangeConfirmedTwice) {
      throw invalid('Enable secure email change to generate link for current email');
    }
    const email = readEmail(newEmail);
    if ((await em.count(User, { email, isSsoUser: false })) > 0) throw emailExists();
    if (email !== user.newEmail) await endAddressChange(em, user);
    const change = { newEmail: email, emailChangeSentAt: this.clock.now(), emailChangeConfirmations: 0 };
    return Object.assign(user, change);
  }
}

function isLinkType(type: string): type is LinkType {
  return Object.hasOwn(TOKEN_TYPES, type);
}

function addressOf(user: UserRow, type: LinkType): string {
  return (type === 'email_change_new' ? user.newEmail : user.email) ?? '';
}
