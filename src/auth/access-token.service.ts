import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { CONFIG, type Config } from '../config/config.js';
import { isCanonicalBase64url } from '../shared/base64url.js';
import { Clock } from '../shared/clock.js';
import { AuthError } from './auth.error.js';
import type { AmrEntry, AssuranceLevel, SessionRow } from './session.entity.js';
import { SigningKeysService } from './signing-keys.service.js';
import type { Metadata, UserRow } from './user.entity.js';

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
  private readonly jwt = new JwtService();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeysService,
    private readonly clock: Clock,
  ) {}

  /** The token of a session. */
  async issue(user: UserRow, session: Pick<SessionRow, 'id' | 'aal' | 'amr'>): Promise<IssuedAccessToken> {
    const iat = this.seconds();
    const exp = iat + this.config.auth.jwt.expiresIn;
    const token = await this.sign({
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
    return await this.sign({ iss: this.config.auth.externalUrl, role: 'service_role', iat, exp: iat + expiresIn });
  }

  /**
   * The claims of a token that one of our keys signed and that has not expired.
   * @throws AuthError 403 bad_jwt
   */
  async verify(bearer: string): Promise<AccessTokenClaims> {
    const header = readHeader(bearer);
    const key = this.keys.findForVerification(header.alg, header.kid);
    if (key === undefined) throw badToken(`token is unverifiable: unrecognized JWT kid or alg`);
    try {
      return await this.jwt.verifyAsync<AccessTokenClaims & object>(bearer, {
        // The name of the option tells the library nothing about the key; its algorithm is fixed here.
        publicKey: key.verifying as unknown as string,
        algorithms: [key.alg],
        clockTimestamp: this.seconds(),
      });
    } catch (error) {
      throw badToken(detailOf(error));
    }
  }

  private async sign(claims: AccessTokenClaims): Promise<string> {
    const { alg, kid, signing } = this.keys.current;
    return await this.jwt.signAsync(claims, {
      privateKey: signing as unknown as string,
      algorithm: alg,
      header: { alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }) },
    });
  }

  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** E(403, bad_jwt) (auth-api.md 1.4). */
function badToken(detail: string): AuthError {
  return new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${detail}`);
}

function readHeader(token: string): { readonly alg?: unknown; readonly kid?: unknown } {
  const parts = token.split('.');
  if (parts.length !== 3) throw badToken('token is malformed: token contains an invalid number of segments');
  // The signature is not over its own spelling: another one of the same bytes would be another token that is as good.
  if (!parts.every(isCanonicalBase64url)) throw badToken('token is malformed: could not base64 decode');
  try {
    const header: unknown = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8'));
    if (typeof header === 'object' && header !== null) return header;
  } catch {
    // Answered below, as what is JSON but no object.
  }
  throw badToken('token is malformed: could not JSON decode header');
}

function detailOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message === 'jwt expired') return 'token has invalid claims: token is expired';
  if (message === 'jwt not active') return 'token has invalid claims: token is not valid yet';
  return 'token signature is invalid';
}
