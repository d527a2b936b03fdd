import { All, Controller, Delete, Get, Inject, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config.js';
import { Public } from '../../http/public.decorator.js';
import { IdentitiesService } from '../accounts/identities.service.js';
import { AuthError, notFound } from '../auth.error.js';
import { badState, ProviderFlowsService } from '../external/provider-flows.service.js';
import { ProviderSignInService, type AuthorizeRequest } from '../external/provider-sign-in.service.js';
import { KnownDevicesService } from '../guesses/known-devices.service.js';
import { SignInLogService } from './sign-in-log.service.js';
import { FromCaller, FromQuery } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { toAuthError } from './error-envelope.js';
import { readChallenge } from './input-rules.js';
import { RequestLimitsService } from './request-limits.service.js';
import { errorTarget, successTarget } from './verify-redirect.js';

/** The provider that people sign in with, identities, and the ways in that this server does not have (auth-api.md 7). */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor)
@Controller()
export class ExternalController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly identities: IdentitiesService,
    private readonly providerSignIns: ProviderSignInService,
    private readonly flows: ProviderFlowsService,
    private readonly devices: KnownDevicesService,
    private readonly log: SignInLogService,
    private readonly limits: RequestLimitsService,
  ) {}

  /** Leads to the provider. Clients go here with the browser; `skip_http_redirect` asks for this address instead. */
  @Get('authorize')
  async authorize(
    @FromQuery('provider') provider: string | undefined,
    @Req() request: FastifyRequest,
    @FromCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.providerSignIns.assertConfigured(provider);
    await this.limits.countRequest('sso', caller.ip);
    const wish = readAuthorizeRequest(request);
    if (wish.query['skip_http_redirect'] === 'true') {
      // The cookie of the flow goes to the browser that comes here, not to the script that asks.
      const address = new URL(`${this.config.auth.externalUrl}/authorize`);
      address.search = new URLSearchParams(withoutSkip(wish.query)).toString();
      return void (await reply.send({ url: address.href }));
    }
    try {
      const { url, cookie } = await this.providerSignIns.begin(wish, caller, null);
      await reply.header('set-cookie', cookie).redirect(url, 302);
    } catch (error) {
      await reply.redirect(errorTarget(caller.redirectTo, toldInAddress(error), true), 302);
    }
  }

  /** Begins to link an identity at the provider to the caller, who goes there next. */
  @Get('user/identities/authorize')
  async link(
    @FromQuery('provider') provider: string | undefined,
    @FromQuery('skip_http_redirect') skip: string | undefined,
    @Req() request: FastifyRequest,
    @FromCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // First: each call asks the provider, or keeps a row for a day.
    await this.limits.countRequest('sso', caller.ip);
    const { url, cookie } = await this.identities.link({ ...readAuthorizeRequest(request), provider }, caller);
    void reply.header('set-cookie', cookie);
    if (skip === 'true') await reply.send({ url });
    else await reply.redirect(url, 302);
  }

  /** The browser comes back from the provider (auth-api.md 7.5). It ends at the address that the flow began with. */
  @Get('callback')
  async callBack(@Req() request: FastifyRequest, @FromCaller() caller: Caller, @Res() reply: FastifyReply) {
    if (this.config.auth.provider === null) throw notFound();
    await this.limits.countRequest('token', caller.ip);
    const search = searchOf(request);
    const state = search.get('state') ?? '';
    const flow = await this.flows.find(state);
    const target = flow?.redirectTo ?? this.config.auth.siteUrl;
    try {
      if (flow === null) throw badState();
      const { cookie } = request.headers;
      const here = { ...caller, deviceCookie: flow.deviceCookie ?? undefined };
      const ended = await this.log.counted('provider', this.providerSignIns.finish(flow, search, cookie, here));
      const cookies = [this.flows.endCookie(state)];
      if (ended.kind === 'session') cookies.push(this.devices.cookieFor(here, String(ended.tokens.user['id'])));
      await reply.header('set-cookie', cookies).redirect(successTarget(target, ended), 303);
    } catch (error) {
      await reply.redirect(errorTarget(target, toldInAddress(error), true), 303);
    }
  }

  /** The same for providers that post their answer: browsers send the cookie of the flow with the next call only. */
  @Post('callback')
  async callBackPosted(@Req() { body }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (this.config.auth.provider === null) throw notFound();
    const search = new URLSearchParams(typeof body === 'string' ? body : '');
    await reply.redirect(`${this.config.auth.externalUrl}/callback?${search.toString()}`, 303);
  }

  @Delete('user/identities/:id')
  unlink(@Param('id') id: string, @FromCaller() caller: Caller): Promise<Record<string, never>> {
    return this.identities.unlink(id, caller);
  }

  @All(['sso', 'sso/*'])
  async refuseSso(@FromCaller() { ip }: Caller): Promise<never> {
    await this.limits.countRequest('sso', ip);
    throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  }

  /** Being a provider for others. */
  @All(['oauth', 'oauth/*', 'admin/oauth', 'admin/oauth/*', 'user/oauth/grants'])
  refuseOAuth(): never {
    throw new AuthError(404, 'feature_disabled', 'OAuth server is disabled');
  }
}

/** The error that the target hears of; what nobody expected is logged and answered here. */
function toldInAddress(error: unknown): AuthError {
  const known = toAuthError(error);
  if (known.getStatus() === 500) throw error;
  return known;
}

function searchOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/** Reads the query; the first of several parameters of a name counts. */
function readAuthorizeRequest(request: FastifyRequest): AuthorizeRequest {
  const query = Object.fromEntries([...searchOf(request)].reverse());
  const { code_challenge: challenge = '', code_challenge_method: method = '' } = query;
  return {
    provider: query['provider'],
    challenge: readChallenge({ code_challenge: challenge, code_challenge_method: method }),
    query,
  };
}

function withoutSkip({ skip_http_redirect: _skip, ...query }: AuthorizeRequest['query']): Record<string, string> {
  return Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
