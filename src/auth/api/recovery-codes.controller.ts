import { Controller, Delete, Get, HttpCode, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../http/public.decorator.js';
import {
  RecoveryCodesService,
  type RecoveryCodesSet,
  type RecoveryCodesStatus,
} from '../factors/recovery-codes.service.js';
import { RecoveryVerificationService } from '../factors/recovery-verification.service.js';
import { KnownDeviceInterceptor } from '../guesses/known-device.interceptor.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import { FromBody, FromCaller } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { nameBody, parseBody, recoveryCodeBody, type RecoveryCodeBody } from './request-bodies.js';
import { RequestLimitsService } from './request-limits.service.js';

/** One's own recovery codes (auth-api.md 3.18). All of it needs a session, which the services ask for. */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor, KnownDeviceInterceptor)
@Controller('factors/recovery-codes')
export class RecoveryCodesController {
  constructor(
    private readonly codes: RecoveryCodesService,
    private readonly verification: RecoveryVerificationService,
    private readonly limits: RequestLimitsService,
  ) {}

  @Get()
  readStatus(@FromCaller() caller: Caller): Promise<RecoveryCodesStatus> {
    return this.codes.readStatus(caller);
  }

  /** A body may be missing: the codes have the usual name then. */
  @Post()
  @HttpCode(200)
  async generate(@Req() { body }: FastifyRequest, @FromCaller() caller: Caller): Promise<RecoveryCodesSet> {
    const { friendly_name: name } = parseBody(body || '{}', nameBody);
    await this.limits.countRequest('factorChallenge', caller.ip);
    return await this.codes.generate(name, caller);
  }

  @Post('regenerate')
  @HttpCode(200)
  async regenerate(@FromCaller() caller: Caller): Promise<RecoveryCodesSet> {
    await this.limits.countRequest('factorChallenge', caller.ip);
    return await this.codes.regenerate(caller);
  }

  @Post('verify')
  @HttpCode(200)
  async verify(
    @FromBody(recoveryCodeBody) { code }: RecoveryCodeBody,
    @FromCaller() caller: Caller,
  ): Promise<TokenResponse> {
    await this.limits.countRequest('factorVerify', caller.ip);
    return await this.verification.verify(code, caller);
  }

  @Delete()
  remove(@FromCaller() caller: Caller): Promise<{ readonly id: string }> {
    return this.codes.remove(caller);
  }
}
