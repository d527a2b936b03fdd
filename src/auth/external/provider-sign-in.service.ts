import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { ProviderConfig } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';
import { lockUserBy } from '../accounts/user-records.js';
import type { Caller } from '../api/caller.js';
import type { Challenge } from '../api/input-rules.js';
import type { IdTokenBody } from '../api/request-bodies.js';
import { AuthError } from '../auth.error.js';
import { assertSecondFactor } from '../factors/factor-records.js';
import { PkceService } from '../sessions/pkce.service.js';
import { Session, type SessionRow } from '../sessions/session.entity.js';
import { sessionNotFound, SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { AuthenticationService, type Authenticated } from '../tokens/authentication.service.js';
import { OidcProviderService } from './oidc-provider.service.js';
import { ProviderAccountsService } from './provider-accounts.service.js';
import type { ProviderFlowRow } from './provider-flow.entity.js';
import { ProviderFlowsService, type BegunFlow } from './provider-flows.service.js';
import type { ProviderPerson } from './provider-person.js';
import { isConfiguredFor, refusedIdToken, unsupportedProvider } from './providers.js';

/** The method of `amr`. */
const METHOD = 'oauth';

/** Parameters of the call that the provider's screens get. */
const HINTS = ['prompt', 'login_hint', 'domain_hint', 'hd', 'ui_locales'];

/** The result of a flow that ended well: tokens, or a code that the client exchanges. */
export type FlowResult =
  | { readonly kind: 'session'; readonly tokens: TokenResponse }
  | { readonly kind: 'code'; readonly code: string };

/** A call that begins a sign-in with a provider. */
export interface AuthorizeRequest {
  readonly provider: string | undefined;
  readonly challenge: Challenge;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Signs in with the provider, and links identities of it (auth-api.md 7). */
@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly authentication: AuthenticationService,
    private readonly provider: OidcProviderService,
    private readonly flows: ProviderFlowsService,
    private readonly accounts: ProviderAccountsService,
    private readonly pkce: PkceService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Checks that this is the name of the configured provider.
   * @throws AuthError 400 validation_failed
   */
  assertConfigured(name: string | undefined): ProviderConfig {
    const { provider } = this.config.auth;
    if (provider === null || name?.toLowerCase() !== provider.id) throw unsupportedProvider(name);
    return provider;
  }

  /** @param session the one that links an identity to its user; null for a sign-in */
  async begin(request: AuthorizeRequest, caller: Caller, session: SessionRow | null): Promise<BegunFlow> {
    const hints = Object.fromEntries(
      HINTS.flatMap((name) => (request.query[name] ? [[name, request.query[name]] as const] : [])),
    );
    return await this.flows.begin(this.assertConfigured(request.provider), {
      redirectTo: caller.redirectTo,
      deviceCookie: caller.deviceCookie,
      challenge: request.challenge,
      hints,
      sessionId: session?.id ?? null,
    });
  }

  /**
   * Ends a flow.
   * @param search the query of /callback
   * @param cookies the header Cookie
   * @throws AuthError, OAuthError
   */
  async finish(
    flow: ProviderFlowRow,
    search: URLSearchParams,
    cookies: string | undefined,
    caller: Caller,
  ): Promise<FlowResult> {
    const { provider } = this.config.auth;
    if (provider === null) throw unsupportedProvider(undefined);
    const secrets = await this.flows.spend(flow, search.get('state') ?? '', cookies);
    // Before the transaction, as it may take its time.
    const person = await this.provider.redeem(provider, search, secrets);
    // Somebody who comes in two tabs at once is made once: the second finds the account of the first.
    return await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const challenge = challengeOf(flow);
        if (flow.sessionId != null)
          return await this.finishLink(em, flow.sessionId, provider, person, challenge, caller);
        const user = await this.accounts.enter(em, provider, person);
        if (challenge === null) return { kind: 'session', tokens: await this.sessions.begin(em, user, METHOD, caller) };
        return { kind: 'code', code: await this.pkce.beginWithCode(em, user, METHOD, challenge) };
      }),
    );
  }

  private async finishLink(
    em: EntityManager,
    sessionId: string,
    provider: ProviderConfig,
    person: ProviderPerson,
    challenge: Challenge,
    caller: Caller,
  ): Promise<FlowResult> {
    const begun = await em.findOne(Session, { id: sessionId });
    const user = begun === null ? null : await lockUserBy(em, { id: begun.userId });
    // As it is behind the lock: whoever ended the session meanwhile wants no further way in by it.
    const session = user && (await em.findOne(Session, { id: sessionId }, { disableIdentityMap: true }));
    if (user === null || session === null) throw sessionNotFound();
    this.authentication.assertNotBanned(user);
    await assertSecondFactor(em, user, session);
    if (challenge !== null) {
      // The exchange links: only the client that began has the verifier. Who was sent here by somebody else has not.
      await this.accounts.assertLinkable(em, user, provider, person);
      const link = { ...person, sessionId };
      return { kind: 'code', code: await this.pkce.beginWithCode(em, user, METHOD, challenge, link) };
    }
    await this.accounts.link(em, user, provider, person);
    return { kind: 'session', tokens: await this.sessions.begin(em, user, METHOD, caller) };
  }

  /** The grant `id_token`: an ID token that a client has from the provider, for tokens (auth-api.md 7.2). */
  async exchangeIdToken(body: IdTokenBody, caller: Caller): Promise<TokenResponse> {
    const { provider } = this.config.auth;
    if (body.id_token === '' || provider === null || !isConfiguredFor(body, provider)) throw refusedIdToken(body);
    if (body.link_identity) await this.assertLinking(caller);
    const { id_token: idToken, access_token: accessToken, nonce } = body;
    const person = await this.provider.verify(provider, { idToken, accessToken, nonce });
    return await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        if (!body.link_identity) {
          return await this.sessions.begin(em, await this.accounts.enter(em, provider, person), METHOD, caller);
        }
        const { user, session } = await this.lockForLinking(em, caller);
        await assertSecondFactor(em, user, session);
        await this.accounts.link(em, user, provider, person);
        return await this.sessions.begin(em, user, METHOD, caller);
      }),
    );
  }

  /**
   * Checks that the caller may link identities.
   * @throws AuthError those of {@link AuthenticationService.authenticate}, 404 manual_linking_disabled
   */
  async assertLinking(caller: Caller): Promise<Authenticated> {
    return this.assertEnabled(await this.authentication.authenticate(caller.bearer));
  }

  /**
   * Checks the same, and locks the rows of user and session until the transaction of `em` ends.
   * @throws AuthError as {@link assertLinking}
   */
  async lockForLinking(em: EntityManager, caller: Caller): Promise<Authenticated> {
    return this.assertEnabled(await this.authentication.lock(em, caller.bearer));
  }

  private assertEnabled(authenticated: Authenticated): Authenticated {
    if (this.config.auth.isManualLinkingEnabled) return authenticated;
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
  }
}

function challengeOf({ codeChallenge, codeChallengeMethod }: ProviderFlowRow): Challenge {
  if (codeChallenge == null || codeChallengeMethod == null) return null;
  return { challenge: codeChallenge, method: codeChallengeMethod };
}
