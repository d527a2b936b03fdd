import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import type { AmrEntry, AssuranceLevel, SessionRow } from '../sessions/session.entity.js';
import { badToken } from './token-key.js';
import type { Metadata, UserRow } from '../accounts/user.entity.js';

/** The claims of an access token (auth-api.md 1.5); tokens that others signed with our keys may lack some. */
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
  async issueServiceToken(expiresIn: number): Promise<string> {
    const iat = this.seconds();
    return await this.jwt.signAsync({
      iss: this.config.auth.externalUrl,
      role: 'service_role',
      iat,
      exp: iat + expiresIn,
    });
  }

  /**
   * The claims of a token that one of our keys signed and that has not expired.
   * @throws AuthError 403 bad_jwt
   */
  async verify(bearer: string): Promise<AccessTokenClaims> {
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

function detailOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message === 'jwt expired') return 'token has invalid claims: token is expired';
  if (message === 'jwt not active') return 'token has invalid claims: token is not valid yet';
  return 'token signature is invalid';
}
