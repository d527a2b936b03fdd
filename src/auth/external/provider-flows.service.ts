import { createHmac, randomBytes, type KeyObject } from 'node:crypto';
import { EntityManager, ForeignKeyConstraintViolationException } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { ProviderConfig } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { readCookie } from '../../http/read-cookie.js';
import { Clock, isOver } from '../../shared/clock.js';
import type { Challenge } from '../api/input-rules.js';
import { AuthError } from '../auth.error.js';
import { DerivedKeysService } from '../keys/derived-keys.service.js';
import { sessionNotFound } from '../sessions/sessions.service.js';
import { ProviderFlow, type ProviderFlowRow } from './provider-flow.entity.js';
import { OidcProviderService, type FlowSecrets } from './oidc-provider.service.js';

/** The time that somebody has at the provider, with a second factor there. */
const LIFETIME_SECONDS = 600;
/** Flows that came back too late are told so for a day. */
export const FLOWS_KEPT_MS = 24 * 3600 * 1000;

/** Ours are shorter. */
const DEVICE_COOKIE_LENGTH = 512;

/** The beginning of a sign-in with the provider. */
export interface FlowStart {
  /** An allowed address, to which it leads in the end. */
  readonly redirectTo: string;
  readonly deviceCookie: string | undefined;
  readonly challenge: Challenge;
  /** Parameters for the screens of the provider. */
  readonly hints: Readonly<Record<string, string>>;
  /** The session that links an identity; null for a sign-in. */
  readonly sessionId: string | null;
}

/** A sign-in that has begun: where the browser goes, and the cookie by which it is known when it comes back. */
export interface BegunFlow {
  readonly url: string;
  readonly cookie: string;
}

/** Remembers sign-ins with the provider until the browser comes back from it. Each ends once, in the browser that began. */
@Injectable()
export class ProviderFlowsService {
  private readonly key: KeyObject;

  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly provider: OidcProviderService,
    keys: DerivedKeysService,
    private readonly clock: Clock,
  ) {
    this.key = keys.keyFor('provider flows');
  }

  /** @throws AuthError 503 when the provider cannot be reached, 403 session_not_found when the session ended meanwhile */
  async begin(provider: ProviderConfig, start: FlowStart): Promise<BegunFlow> {
    const secrets = this.secretsOf(randomBytes(32).toString('base64url'));
    const url = await this.provider.authorizationUrl(provider, secrets, start.hints);
    const browser = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const em = this.em.fork({ disableTransactions: true });
    await em.nativeDelete(ProviderFlow, { createdAt: { $lt: new Date(now.getTime() - FLOWS_KEPT_MS) } });
    // A link that a code challenge protects is begun by a script, which may be of another site and has no cookie.
    const isBound = start.sessionId === null || start.challenge === null;
    const flow = {
      stateHash: this.keyedHash('state', secrets.state),
      browserHash: isBound ? this.keyedHash('browser', browser) : null,
      sessionId: start.sessionId,
      redirectTo: start.redirectTo,
      deviceCookie: (start.deviceCookie?.length ?? Infinity) > DEVICE_COOKIE_LENGTH ? null : start.deviceCookie,
      codeChallenge: start.challenge?.challenge ?? null,
      codeChallengeMethod: start.challenge?.method ?? null,
      createdAt: now,
    };
    await em.insert(ProviderFlow, flow).catch((error: unknown) => {
      // It was ended while the provider was asked.
      throw error instanceof ForeignKeyConstraintViolationException ? sessionNotFound() : error;
    });
    return { url, cookie: this.cookie(secrets.state, browser, LIFETIME_SECONDS) };
  }

  /** The flow of a state, which may be spent or too old; null without one. */
  async find(state: string): Promise<ProviderFlowRow | null> {
    const em = this.em.fork({ disableTransactions: true });
    return await em.findOne(ProviderFlow, { stateHash: this.keyedHash('state', state) });
  }

  /**
   * Spends a flow.
   * @param cookies the header Cookie
   * @throws AuthError 400 bad_oauth_state when it is too old, spent, or of another browser
   */
  async spend(flow: ProviderFlowRow, state: string, cookies: string | undefined): Promise<FlowSecrets> {
    const now = this.clock.now();
    const browser = readCookie(cookies, this.nameOf(state));
    const isHere = flow.browserHash === null || (browser && this.keyedHash('browser', browser) === flow.browserHash);
    if (!isHere || isOver(flow.createdAt, LIFETIME_SECONDS * 1000, now)) throw badState();
    const em = this.em.fork({ disableTransactions: true });
    // Of two that come at once, one finds it unspent.
    if ((await em.nativeUpdate(ProviderFlow, { id: flow.id, usedAt: null }, { usedAt: now })) === 0) throw badState();
    return this.secretsOf(state);
  }

  /** The header Set-Cookie that ends the cookie of a flow. */
  endCookie(state: string): string {
    return this.cookie(state, '', 0);
  }

  /** Nonce and verifier follow from the state with a key that is not in the database, and nobody else can follow. */
  private secretsOf(state: string): FlowSecrets {
    return { state, nonce: this.keyedHash('nonce', state), verifier: this.keyedHash('verifier', state) };
  }

  private keyedHash(purpose: string, text: string): string {
    return createHmac('sha256', this.key).update(`${purpose}\0${text}`).digest('hex');
  }

  /** Each flow has one of its own, as somebody may begin in two tabs. */
  private nameOf(state: string): string {
    const prefix = this.config.auth.externalUrl.startsWith('https:') ? '__Secure-' : '';
    return `${prefix}provider_flow_${this.keyedHash('name', state).slice(0, 16)}`;
  }

  private cookie(state: string, value: string, seconds: number): string {
    const { externalUrl } = this.config.auth;
    return [
      `${this.nameOf(state)}=${value}`,
      `Path=${new URL(`${externalUrl}/callback`).pathname}`,
      `Max-Age=${seconds}`,
      'HttpOnly',
      // The provider leads back from another site.
      'SameSite=Lax',
      ...(externalUrl.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');
  }
}

/** E(400, bad_oauth_state): the state is unknown, spent, too old, or of another browser. */
export function badState(): AuthError {
  return new AuthError(400, 'bad_oauth_state', 'OAuth state not found or expired');
}
