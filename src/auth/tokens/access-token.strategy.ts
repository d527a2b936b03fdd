import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthModuleOptions, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy, type SecretOrKeyProvider } from 'passport-jwt';
import { SecondFactorMissingException } from '../../http/access.errors.js';
import { bearerOf } from '../../http/bearer.js';
import type { SignedInUser } from '../../http/signed-in-user.js';
import { AccessTokenService, type AccessTokenClaims } from './access-token.service.js';
import { AuthenticationService } from './authentication.service.js';
import { AuthError } from '../auth.error.js';
import { SIGNING_ALGORITHMS } from '../keys/signing-key.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import { findTokenKey } from './token-key.js';

/**
 * The strategy behind the guard: an access token of ours in the header Authorization, whose session lives. A token that
 * is refused fails, whatever is wrong with it; a database that is away is an error, not a failure.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy) implements OnApplicationShutdown {
  private readonly registeredAs: string;

  constructor(
    { defaultStrategy }: AuthModuleOptions,
    keys: SigningKeysService,
    private readonly tokens: AccessTokenService,
    private readonly authentication: AuthenticationService,
  ) {
    super({
      jwtFromRequest: (request: Pick<FastifyRequest, 'headers'>) => bearerOf(request.headers.authorization),
      secretOrKeyProvider: keyProviderOf(keys),
      algorithms: [...SIGNING_ALGORITHMS],
    });
    // The library reads its options once, and its own clock without this one.
    const { _verifOpts: options } = this as unknown as { readonly _verifOpts: object };
    Object.defineProperty(options, 'clockTimestamp', { enumerable: true, get: () => tokens.seconds() });
    this.registeredAs = String(defaultStrategy);
    passport.use(this.registeredAs, this);
  }

  /**
   * The user of a token that was verified, or null: a token without a session signs nobody in.
   * @throws SecondFactorMissingException for a session without the second factor that its account has (decision 66)
   */
  async validate(claims: AccessTokenClaims): Promise<SignedInUser | null> {
    try {
      this.tokens.assertIssuedHere(claims);
      const { user, session } = await this.authentication.identify(claims);
      if (session === null) return null;
      if (await this.authentication.lacksSecondFactor(session)) throw new SecondFactorMissingException();
      return { id: user.id, email: user.email ?? null, sessionId: session.id, aal: session.aal };
    } catch (error) {
      if (error instanceof AuthError) return null;
      throw error;
    }
  }

  /** Earlier hooks are called while requests that have begun are answered, which need it. */
  onApplicationShutdown(): void {
    passport.unuse(this.registeredAs);
  }

  /** Keeps the base class from registering under a name that all applications of the process would share. */
  getPassportInstance(): passport.Authenticator {
    return new passport.Passport();
  }
}

function keyProviderOf(keys: SigningKeysService): SecretOrKeyProvider<FastifyRequest> {
  return (_request, token: string, done) => {
    try {
      // The declared type lacks key objects, which the library below takes.
      done(null, findTokenKey(keys, token).verifying as unknown as Buffer);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      done(error);
    }
  };
}
