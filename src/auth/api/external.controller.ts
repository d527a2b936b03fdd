import { All, Controller, Delete, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/public.decorator.js';
import { IdentitiesService } from '../accounts/identities.service.js';
import { AuthError } from '../auth.error.js';
import { unsupportedProvider } from '../external/providers.js';
import { FromCaller, FromQuery } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { RequestLimitsService } from './request-limits.service.js';

/** Identities of accounts, and the ways in that this server does not have (auth-api.md 7). */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor)
@Controller()
export class ExternalController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly limits: RequestLimitsService,
  ) {}

  @Get('authorize')
  authorize(@FromQuery('provider') provider: string | undefined): never {
    throw unsupportedProvider(provider);
  }

  @Get('user/identities/authorize')
  link(@FromQuery('provider') provider: string | undefined, @FromCaller() caller: Caller): Promise<never> {
    return this.identities.link(provider, caller);
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
