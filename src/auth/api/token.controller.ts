import { Controller, Get, Head, HttpCode, Inject, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config.js';
import { Public } from '../../http/public.decorator.js';
import { AuthError, invalid } from '../auth.error.js';
import { ProviderSignInService } from '../external/provider-sign-in.service.js';
import { FromBody, FromCaller, FromQuery } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { toAuthError } from './error-envelope.js';
import { KnownDeviceInterceptor } from '../guesses/known-device.interceptor.js';
import { KnownDevicesService } from '../guesses/known-devices.service.js';
import { PKCE_PREFIX } from '../codes/one-time-tokens.js';
import { PkceService } from '../sessions/pkce.service.js';
import { RequestLimitsService } from './request-limits.service.js';
import { RefreshService } from '../sessions/refresh.service.js';
import { chooseRedirect } from './redirect-target.js';
import {
  idTokenBody,
  parseBody,
  passwordBody,
  pkceBody,
  pressedLinkBody,
  refreshBody,
  verifyBody,
  type PressedLinkBody,
  type VerifyBody,
} from './request-bodies.js';
import { SignInLogService, type SignInMethod } from './sign-in-log.service.js';
import { SignInService } from '../sessions/sign-in.service.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import { HALF_CONFIRMED, VerificationService } from '../codes/verification.service.js';
import { errorTarget, plainTarget, successTarget } from './verify-redirect.js';

/** The grants that sign somebody in; the others go on with what was counted. */
const COUNTED: ReadonlyMap<string | undefined, SignInMethod> = new Map([
  ['password', 'password'],
  ['id_token', 'provider'],
]);

/** Everything that hands out tokens. */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor, KnownDeviceInterceptor)
@Controller()
export class TokenController {
  constructor(
    private readonly signIns: SignInService,
    private readonly refreshes: RefreshService,
    private readonly pkce: PkceService,
    private readonly verification: VerificationService,
    private readonly limits: RequestLimitsService,
    private readonly devices: KnownDevicesService,
    private readonly log: SignInLogService,
    private readonly providerSignIns: ProviderSignInService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('token')
  @HttpCode(200)
  async issue(
    @FromQuery('grant_type') grant: string | undefined,
    @Req() request: FastifyRequest,
    @FromCaller() caller: Caller,
  ): Promise<TokenResponse> {
    const attempt = this.issueFor(grant, request, caller);
    const method = COUNTED.get(grant);
    return await (method === undefined ? attempt : this.log.counted(method, attempt));
  }

  private async issueFor(grant: string | undefined, request: FastifyRequest, caller: Caller): Promise<TokenResponse> {
    await this.limits.countRequest(grant === 'web3' ? 'web3' : 'token', caller.ip);
    switch (grant) {
      case 'password':
        return await this.signIns.signIn(parseBody(request.body, passwordBody), caller);
      case 'refresh_token':
        return await this.refreshes.refresh(parseBody(request.body, refreshBody).refresh_token, caller);
      case 'pkce': {
        const { auth_code: code, code_verifier: verifier } = parseBody(request.body, pkceBody);
        return await this.pkce.exchange(code, verifier, caller);
      }
      case 'id_token':
        return await this.providerSignIns.exchangeIdToken(parseBody(request.body, idTokenBody), caller);
      case 'web3':
        throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled');
      default:
        throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
    }
  }

  @Post('verify')
  @HttpCode(200)
  async verify(@FromBody(verifyBody) body: VerifyBody, @FromCaller() caller: Caller) {
    const verified = await this.log.counted(
      'code',
      this.limits.countRequest('verify', caller.ip).then(() => this.verification.verify(body, caller)),
    );
    return verified.kind === 'session' ? verified.tokens : { msg: HALF_CONFIRMED, code: '200' };
  }

  /**
   * Says where a mailed link leads and leaves it good: programs that look at links before people do ask like that. Stands
   * before the GET, which would be asked otherwise.
   */
  @Head('verify')
  async look(@FromCaller() { ip, redirectTo }: Caller, @Res() reply: FastifyReply): Promise<void> {
    await this.limits.countRequest('verify', ip);
    await reply.redirect(plainTarget(redirectTo), 303);
  }

  /** Follows a mailed link: redirects with the result, accepted or refused, in the address (auth-api.md 3.9). */
  @Get('verify')
  async follow(
    @FromQuery('token') token: string | undefined,
    @FromQuery('type') type: string | undefined,
    @FromCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const target = await this.findTarget(token, type, caller, reply, (status) => status === 500 || status === 429);
    await reply.redirect(target, 303);
  }

  /**
   * Follows a mailed link for the page with the button (auth-api.md 3.9): answers the address that the visitor is to go
   * to. Whatever passes is an error, so that the link is kept for another press.
   */
  @Post('verify/link')
  @HttpCode(200)
  async press(
    @FromBody(pressedLinkBody) { token_hash: token, type, redirect_to: wanted }: PressedLinkBody,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ readonly url: string }> {
    // Not the referrer, which is the page with the button.
    const follower = { ...caller, redirectTo: chooseRedirect([wanted], this.config.auth) };
    return { url: await this.findTarget(token, type, follower, reply, (status) => status >= 500 || status === 429) };
  }

  /** @param isThrown says which failures are not told in the address, by their status */
  private async findTarget(
    token: string | undefined,
    type: string | undefined,
    caller: Caller,
    reply: FastifyReply,
    isThrown: (status: number) => boolean,
  ): Promise<string> {
    if (!type) throw invalid('Verify requires a verification type');
    if (!token) throw invalid('Verify requires a token');
    try {
      const verified = await this.log.counted(
        'link',
        this.limits.countRequest('verify', caller.ip).then(() => this.verification.follow(token, type, caller)),
      );
      if (verified.kind === 'session') {
        reply.header('set-cookie', this.devices.cookieFor(caller, String(verified.tokens.user['id'])));
      }
      return successTarget(caller.redirectTo, verified, type);
    } catch (error) {
      const known = toAuthError(error);
      if (isThrown(known.getStatus())) throw error;
      return errorTarget(caller.redirectTo, known, token.startsWith(PKCE_PREFIX));
    }
  }
}
