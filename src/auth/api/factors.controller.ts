import { Controller, Delete, HttpCode, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/public.decorator.js';
import { EnrollmentService, type Enrollment } from '../factors/enrollment.service.js';
import { FactorVerificationService, type ChallengeAnswer } from '../factors/factor-verification.service.js';
import { KnownDeviceInterceptor } from '../guesses/known-device.interceptor.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import { FromBody, FromCaller } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { enrollBody, verifyFactorBody, type EnrollBody, type VerifyFactorBody } from './request-bodies.js';
import { RequestLimitsService } from './request-limits.service.js';

/** One's own second factors (auth-api.md 3.14 to 3.17). All of it needs a session, which the services ask for. */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor, KnownDeviceInterceptor)
@Controller('factors')
export class FactorsController {
  constructor(
    private readonly enrollments: EnrollmentService,
    private readonly verification: FactorVerificationService,
    private readonly limits: RequestLimitsService,
  ) {}

  @Post()
  @HttpCode(200)
  enroll(@FromBody(enrollBody) body: EnrollBody, @FromCaller() caller: Caller): Promise<Enrollment> {
    return this.enrollments.enroll(body, caller);
  }

  @Post(':id/challenge')
  @HttpCode(200)
  async challenge(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ChallengeAnswer> {
    await this.limits.countRequest('factorChallenge', caller.ip);
    return await this.verification.challenge(id, caller);
  }

  @Post(':id/verify')
  @HttpCode(200)
  async verify(
    @Param('id') id: string,
    @FromBody(verifyFactorBody) body: VerifyFactorBody,
    @FromCaller() caller: Caller,
  ): Promise<TokenResponse> {
    await this.limits.countRequest('factorVerify', caller.ip);
    return await this.verification.verify(id, body, caller);
  }

  @Delete(':id')
  unenroll(@Param('id') id: string, @FromCaller() caller: Caller): Promise<{ readonly id: string }> {
    return this.enrollments.unenroll(id, caller);
  }
}
