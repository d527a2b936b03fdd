import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import type { UserRow } from '../accounts/user.entity.js';
import { TokenCodec } from '../tokens/token-codec.js';
import type { OneTimeTokenType } from './one-time-token.entity.js';
import { PKCE_PREFIX, replaceOneTimeToken } from './one-time-tokens.js';

/** A link and its code to issue. */
export interface LinkTokenWish {
  readonly type: OneTimeTokenType;
  /** The type as links name it, such as `invite`: it decides how long the token is good for. */
  readonly purpose: string;
  /** The address that the mail goes to. */
  readonly address: string;
  readonly isPkce: boolean;
  /** The code follows from it: nobody else knows it, and it is used once. */
  readonly name: string;
}

/** The code of a mail, and the token of its link, as links carry it. */
export interface LinkToken {
  readonly otp: string;
  readonly tokenHash: string;
}

/** Makes codes and links, for mails of ours and for programs that send their own. */
@Injectable()
export class LinkTokensService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /** Stores code and link in place of the user's former ones of that type, in the transaction of `em`. */
  async issue(em: EntityManager, user: UserRow, wish: LinkTokenWish): Promise<LinkToken> {
    const { purpose, address, isPkce, name } = wish;
    // Whoever signs up with an invited address does not void the invitation.
    const type = purpose === 'signup' && user.invitedAt ? 'invited_signup' : wish.type;
    const otp = this.codec.codeOf(name, this.config.auth.otpLength);
    const token = this.codec.linkToken(address, otp);
    await replaceOneTimeToken(em, user, {
      type,
      tokenHash: this.codec.hash(token),
      isPkce,
      expiresAt: new Date(this.clock.now().getTime() + this.validForSeconds(purpose) * 1000),
    });
    return { otp, tokenHash: isPkce ? `${PKCE_PREFIX}${token}` : token };
  }

  /** How long links and codes of a purpose hold: nobody waits for an invitation, so it is found after days. */
  validForSeconds(purpose: string): number {
    const { inviteExpiresIn, otpExpiresIn } = this.config.auth.mail;
    return purpose === 'invite' ? inviteExpiresIn : otpExpiresIn;
  }

  /** The address of `GET /verify` that spends a token. */
  verifyUrl(tokenHash: string, type: string, redirectTo: string): string {
    const query = new URLSearchParams({ token: tokenHash, type, redirect_to: redirectTo });
    return `${this.config.auth.externalUrl}/verify?${query.toString()}`;
  }
}
