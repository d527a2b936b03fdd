import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import type { AmrEntry, AssuranceLevel, SessionRow } from '../sessions/session.entity.js';
import { badToken } from './token-key.js';
import type { Metadata, UserRow } from '../accounts/user.entity.js';

/** The claims of an access token (auth-api.md 1.5); those of AUTH_ADMIN_ROLES lack most of them. */
export interface AccessTokenClaims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly email?: string;
  readonly phone?: string;
  readonly app_metadata?: Metadata;
  readonly user_metadata?: Metadata;
  readonly role?: string;
  readonly aal?: AssuranceLevel;
  readonly amr?: readonly AmrEntry[];
  readonly session_id?: string;
  readonly is_anonymous?: boolean;
}

/** An access token and the second (since 1970) in which it expires. */
export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** Signs and verifies access tokens. */
@Injectable()
export class AccessTokenService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /** The token of a session. */
  async issue(user: UserRow, session: Pick<SessionRow, 'id' | 'aal' | 'amr'>): Promise<IssuedAccessToken> {
    const iat = this.seconds();
    const exp = iat + this.config.auth.jwt.expiresIn;
    const token = await this.jwt.signAsync({
      iss: this.config.auth.externalUrl,
      sub: user.id,
      aud: user.aud,
      exp,
      iat,
      email: user.email ?? '',
      phone: user.phone ?? '',
      app_metadata: user.appMetadata,
      user_metadata: user.userMetadata,
      role: user.role,
      aal: session.aal,
      amr: session.amr,
      session_id: session.id,
      is_anonymous: user.isAnonymous,
    });
    return { token, expiresAt: exp };
  }

  /** A token of the role service_role, for programs that administer accounts; good for that many seconds. */
  async issueServiceToken(expiresIn: number): Promise<IssuedAccessToken> {
    const iat = this.seconds();
    const exp = iat + expiresIn;
    const token = await this.jwt.signAsync({ iss: this.config.auth.externalUrl, role: 'service_role', iat, exp });
    return { token, expiresAt: exp };
  }

  /**
   * Returns the claims of a token that one of our keys signed, that has not expired, and that we issued.
   * @throws AuthError 403 bad_jwt
   */
  async verify(bearer: string): Promise<AccessTokenClaims> {
    const claims = await this.readSigned(bearer);
    this.assertIssuedHere(claims);
    return claims;
  }

  /**
   * Refuses a token that another issuer made with our keys, and one that never ends (RFC 8725, section 3.8). With
   * AUTH_FOREIGN_ADMIN_TOKENS, administering programs may have such tokens.
   * @throws AuthError 403 bad_jwt
   */
  assertIssuedHere({ iss, exp, role }: AccessTokenClaims): void {
    const { adminRoles, isForeignAdminAllowed } = this.config.auth.jwt;
    if (isForeignAdminAllowed && adminRoles.includes(role ?? '')) return;
    if (iss !== this.config.auth.externalUrl) throw badClaims('token has invalid issuer');
    if (typeof exp !== 'number') throw badClaims('token is missing required claim: exp claim is required');
  }

  /**
   * Refuses a token that was issued for another audience than that of the account (RFC 8725, section 3.9). Tokens of
   * AUTH_ADMIN_ROLES need none.
   * @throws AuthError 403 bad_jwt
   */
  assertAudience({ aud, role }: AccessTokenClaims, user: Pick<UserRow, 'aud'>): void {
    if (aud === undefined && this.config.auth.jwt.adminRoles.includes(role ?? '')) return;
    if (![aud].flat().includes(user.aud)) throw badClaims('token has invalid audience');
  }

  /** @throws AuthError 403 not_admin for a role that is none of AUTH_ADMIN_ROLES */
  assertAdminRole(role: string | undefined): void {
    if (this.config.auth.jwt.adminRoles.includes(role ?? '')) return;
    throw new AuthError(403, 'not_admin', 'User not allowed');
  }

  private async readSigned(bearer: string): Promise<AccessTokenClaims> {
    try {
      return await this.jwt.verifyAsync<AccessTokenClaims & object>(bearer, { clockTimestamp: this.seconds() });
    } catch (error) {
      throw error instanceof AuthError ? error : badToken(detailOf(error));
    }
  }

  /** The time as access tokens state it: seconds since 1970. */
  seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

const BAD_CLAIMS = 'token has invalid claims';

const badClaims = (detail: string): AuthError => badToken(`${BAD_CLAIMS}: ${detail}`);

function detailOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message === 'jwt expired') return `${BAD_CLAIMS}: token is expired`;
  if (message === 'jwt not active') return `${BAD_CLAIMS}: token is not valid yet`;
  return 'token signature is invalid';
}
