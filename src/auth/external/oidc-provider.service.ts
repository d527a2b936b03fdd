import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderConfig } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { PROVIDER_CALL_MS, PROVIDER_SIGN_IN_MS } from '../../config/time-limits.js';
import { Clock } from '../../shared/clock.js';
import { AuthError, OAuthError } from '../auth.error.js';
import { readClaim, toPerson, type ProviderPerson } from './provider-person.js';
import { clientIdsOf } from './providers.js';

/** Metadata are read again after an hour; where that fails, the old ones serve on, and five minutes later it is tried again. */
const METADATA_KEPT_MS = 3_600_000;
const RETRY_MS = 300_000;
/** Clocks of two machines differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Signatures that nobody makes who does not have the private key. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`));
const HASHES: Readonly<Record<string, (text: string) => Buffer>> = {
  256: (text) => createHash('sha256').update(text).digest(),
  384: (text) => createHash('sha384').update(text).digest(),
  512: (text) => createHash('sha512').update(text).digest(),
};
/** Longest id of somebody at a provider (OpenID Connect Core, section 2). */
const LONGEST_SUB = 255;

/** The secrets of one sign-in with the provider. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An ID token that a client brings, and what it should fit. */
export interface BroughtToken {
  readonly idToken: string;
  readonly accessToken: string;
  readonly nonce: string;
}

interface Known {
  readonly client: oidc.Configuration;
  readonly keys: JWTVerifyGetKey;
  /** By the clock, in milliseconds, and how long they are good from then on. */
  readonly since: number;
  readonly keptMs: number;
}

/** Speaks with the OpenID Connect provider. Whatever it sends is checked here; nothing here touches an account. */
@Injectable()
export class OidcProviderService {
  /** All calls for one sign-in together take no longer, in milliseconds. */
  patienceMs = PROVIDER_SIGN_IN_MS;
  private readonly logger = new Logger('SignInProvider');
  private known: Known | undefined;
  private reading: Promise<Known> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * The address at the provider where somebody signs in.
   * @param hints parameters for its screens, such as `login_hint`
   * @throws AuthError 503 when its metadata cannot be had
   */
  async authorizationUrl(
    provider: ProviderConfig,
    { state, nonce, verifier }: FlowSecrets,
    hints: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { client } = await this.inTime(() => this.ready(provider));
    return oidc.buildAuthorizationUrl(client, {
      ...hints,
      redirect_uri: this.callbackUrl,
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Exchanges the code that came back to /callback, and checks the ID token: signature, issuer, audience, time and nonce.
   * @param search the query of that call
   * @throws OAuthError in the words of the provider, AuthError 400 bad_oauth_callback, 503
   */
  async redeem(
    provider: ProviderConfig,
    search: URLSearchParams,
    { state, nonce, verifier }: FlowSecrets,
  ): Promise<ProviderPerson> {
    const url = new URL(this.callbackUrl);
    url.search = search.toString();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    return await this.inTime(async () => {
      const { client } = await this.ready(provider);
      const tokens = await oidc.authorizationCodeGrant(client, url, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw refused();
      return await this.describe(provider, client, claims, tokens.access_token);
    });
  }

  /**
   * Checks an ID token that a client brings (auth-api.md 7.2).
   * @throws OAuthError 400, AuthError 503
   */
  async verify(provider: ProviderConfig, { idToken, accessToken, nonce }: BroughtToken): Promise<ProviderPerson> {
    const { keys } = await this.inTime(() => this.ready(provider));
    const claims = await this.inTime(() => this.readToken(provider, keys, idToken));
    if (Boolean(claims['nonce']) !== Boolean(nonce)) {
      const message = 'Passed nonce and nonce in id_token should either both exist or not.';
      throw new OAuthError('invalid request', message);
    }
    const hashed = createHash('sha256').update(nonce).digest('hex');
    if (nonce !== '' && claims['nonce'] !== hashed) throw new OAuthError('invalid nonce', 'Nonces mismatch');
    assertAccessToken(idToken, claims, accessToken);
    return toPerson(claims, provider, false);
  }

  private get callbackUrl(): string {
    return `${this.config.auth.externalUrl}/callback`;
  }

  private async readToken(provider: ProviderConfig, keys: JWTVerifyGetKey, token: string): Promise<JWTPayload> {
    const own = clientIdsOf(provider);
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: own,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: this.clock.now(),
    }).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      throw new OAuthError('invalid request', 'Bad ID token');
    });
    const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1;
    const isForOthers = isForSeveral && !own.some((id) => id === payload['azp']);
    if (isForOthers || !isSubject(payload.sub)) throw new OAuthError('invalid request', 'Bad ID token');
    return payload;
  }

  /** Reads the rest at the userinfo endpoint where the ID token lacks what is needed. */
  private async describe(
    provider: ProviderConfig,
    client: oidc.Configuration,
    claims: oidc.IDToken,
    accessToken: string,
  ): Promise<ProviderPerson> {
    if (!isSubject(claims.sub)) throw refused();
    const needed = ['email', ...(provider.adminClaim === null ? [] : [provider.adminClaim.name])];
    const isComplete = needed.every((name) => readClaim(claims, name) !== undefined);
    if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return toPerson(claims, provider, true);
    const more = await oidc.fetchUserInfo(client, accessToken, claims.sub);
    return toPerson(joinClaims(claims, more), provider, true);
  }

  private async ready(provider: ProviderConfig): Promise<Known> {
    const now = this.clock.now().getTime();
    if (this.known !== undefined && isGood(this.known, now)) return this.known;
    this.reading ??= this.read(provider).finally(() => (this.reading = undefined));
    if (this.known === undefined) return await this.reading;
    // Nobody waits for what is known already.
    this.reading.catch((error: unknown) => {
      if (this.known !== undefined) this.known = { ...this.known, since: now, keptMs: RETRY_MS };
      this.logger.warn({ err: error }, 'The metadata of the sign-in provider could not be read again');
    });
    return this.known;
  }

  private async read(provider: ProviderConfig): Promise<Known> {
    const client = await discoverProvider(provider);
    const address = client.serverMetadata().jwks_uri;
    if (address === undefined) throw new Error('The metadata of the sign-in provider name no jwks_uri');
    const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: PROVIDER_CALL_MS });
    this.known = { client, keys, since: this.clock.now().getTime(), keptMs: METADATA_KEPT_MS };
    return this.known;
  }

  /** Runs calls to the provider, which may never answer. */
  private async inTime<T>(work: () => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const limit = delay(this.patienceMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error('The sign-in provider did not answer in time');
    });
    try {
      return await Promise.race([work(), limit]);
    } catch (error) {
      throw this.explain(error);
    } finally {
      ended.abort();
    }
  }

  private explain(error: unknown): AuthError {
    if (error instanceof AuthError) return error;
    if (error instanceof oidc.AuthorizationResponseError) {
      return new OAuthError(toErrorName(error.error), error.error_description ?? 'The provider refused the sign-in');
    }
    this.logger.warn({ err: error }, 'A sign-in with the provider failed');
    return isOutage(error) ? unreachable() : refused();
  }
}

/**
 * Reads the metadata of the provider (OpenID Connect Discovery). Its address may be a private one: the operator has
 * named it.
 * @throws when it does not answer, or when its metadata name another issuer
 */
export async function discoverProvider(provider: ProviderConfig): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const isPlain = issuer.startsWith('http:');
  const timeout = PROVIDER_CALL_MS / 1000;
  const execute = isPlain ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), { timeout, execute });
  const metadata = found.serverMetadata();
  // The library compares addresses without regard to their last slash; ID tokens are compared with it.
  if (metadata.issuer !== issuer) throw new Error(`The metadata name the issuer ${metadata.issuer}, not ${issuer}`);
  const client = new oidc.Configuration(metadata, clientId, undefined, authenticationOf(clientSecret, metadata));
  client.timeout = timeout;
  if (isPlain) oidc.allowInsecureRequests(client);
  // The signature is checked too, where TLS would do.
  oidc.enableNonRepudiationChecks(client);
  return client;
}

/**
 * Metadata of a clock that was ahead are read again at once. The keys go with them: the libraries would take theirs for new
 * until that time comes, and refuse everybody once the provider has other ones.
 */
function isGood({ since, keptMs }: Known, now: number): boolean {
  return now >= since && now < since + keptMs;
}

/** The way that every provider has to know, unless it names others (OpenID Connect Discovery, section 3). */
function authenticationOf(secret: string | undefined, metadata: oidc.ServerMetadata): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

/** Failures that are not the fault of what was sent: the network, the time, an answer that makes no sense. */
function isOutage(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error !== 'invalid_grant';
  const { code = '' } = error as { readonly code?: unknown };
  return !/^(?:OAUTH_(?:JWT|KEY_SELECTION|INVALID_RESPONSE|JSON_ATTRIBUTE|INVALID_REQUEST)|ERR_J(?:WT|WS|OSE_ALG|OSE_NOT|WKS_(?:NO|MULTIPLE)))/.test(
    String(code),
  );
}

/**
 * The claims of an ID token, which is signed, and what only the userinfo endpoint told. That an address is verified
 * counts for the address that stands beside it: the two may name different ones.
 */
function joinClaims(claims: oidc.IDToken, more: oidc.UserInfoResponse): Record<string, unknown> {
  const joined = { ...more, ...claims };
  if (claims['email'] === undefined) return { ...joined, email_verified: more.email_verified };
  if (claims['email_verified'] !== undefined || claims['email'] === more.email) return joined;
  return { ...joined, email_verified: undefined };
}

/** An `at_hash` binds the ID token to an access token (OpenID Connect Core, section 3.1.3.6). */
function assertAccessToken(idToken: string, claims: JWTPayload, accessToken: string): void {
  const { at_hash: expected } = claims;
  if (expected === undefined) return;
  const { alg = '' } = decodeProtectedHeader(idToken);
  const digest = HASHES[alg.slice(-3)]?.(accessToken) ?? Buffer.alloc(0);
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== expected) {
    throw new OAuthError('invalid request', 'Bad ID token');
  }
}

function isSubject(sub: string | undefined): sub is string {
  return sub !== undefined && sub !== '' && sub.length <= LONGEST_SUB;
}

/** The names of errors are words; anything else could be a text for people to fall for. */
function toErrorName(error: string): string {
  return /^[a-z_]{1,64}$/.test(error) ? error : 'server_error';
}

function refused(): AuthError {
  return new AuthError(400, 'bad_oauth_callback', 'The answer of the provider could not be verified');
}

function unreachable(): AuthError {
  return new AuthError(503, 'unexpected_failure', 'The provider did not answer as it should, please try again later');
}
