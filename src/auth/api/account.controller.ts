import { Controller, Get, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/public.decorator.js';
import { AccountService } from '../accounts/account.service.js';
import { FromBody, FromCaller, FromQuery } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { readChallenge } from './input-rules.js';
import { KnownDeviceInterceptor } from '../guesses/known-device.interceptor.js';
import { PasswordlessService, type MessageAnswer } from '../codes/passwordless.service.js';
import { RequestLimitsService } from './request-limits.service.js';
import {
  otpBody,
  recoverBody,
  resendBody,
  signupBody,
  updateBody,
  type OtpBody,
  type RecoverBody,
  type ResendBody,
  type SignupBody,
  type UpdateBody,
} from './request-bodies.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import { SignupService } from '../accounts/signup.service.js';
import type { Json } from '../accounts/user.presenter.js';

/** Sign-up, recovery and the account itself (auth-api.md 3). Handlers that need a session ask for it themselves. */
@Public()
@ApiExcludeController()
@UseInterceptors(DeadlineInterceptor, KnownDeviceInterceptor)
@Controller()
export class AccountController {
  constructor(
    private readonly signups: SignupService,
    private readonly passwordless: PasswordlessService,
    private readonly account: AccountService,
    private readonly limits: RequestLimitsService,
  ) {}

  @Post('signup')
  @HttpCode(200)
  async signUp(@FromBody(signupBody) body: SignupBody, @FromCaller() caller: Caller): Promise<Json | TokenResponse> {
    const isAnonymous = body.email === '' && body.phone === '';
    await this.limits.countRequest(isAnonymous ? 'anonymous' : 'signup', caller.ip);
    return isAnonymous
      ? await this.signups.signUpAnonymously(body.data, caller)
      : await this.signups.signUp(body, caller);
  }

  @Post('otp')
  @HttpCode(200)
  async sendOtp(@FromBody(otpBody) body: OtpBody, @FromCaller() caller: Caller): Promise<MessageAnswer> {
    await this.limits.countRequest('otp', caller.ip);
    return await this.passwordless.sendOtp(body, caller);
  }

  @Post('magiclink')
  @HttpCode(200)
  async sendMagicLink(@FromBody(otpBody) body: OtpBody, @FromCaller() caller: Caller): Promise<MessageAnswer> {
    await this.limits.countRequest('magiclink', caller.ip);
    return await this.passwordless.sendMagicLink(body, readChallenge(body), caller);
  }

  @Post('recover')
  @HttpCode(200)
  async recover(@FromBody(recoverBody) body: RecoverBody, @FromCaller() caller: Caller): Promise<MessageAnswer> {
    await this.limits.countRequest('recover', caller.ip);
    return await this.passwordless.recover(body, caller);
  }

  @Post('resend')
  @HttpCode(200)
  async resend(@FromBody(resendBody) body: ResendBody, @FromCaller() caller: Caller): Promise<MessageAnswer> {
    await this.limits.countRequest('resend', caller.ip);
    return await this.passwordless.resend(body, caller);
  }

  @Get('reauthenticate')
  reauthenticate(@FromCaller() caller: Caller): Promise<Record<string, never>> {
    return this.account.reauthenticate(caller);
  }

  @Get('user')
  show(@FromCaller() caller: Caller): Promise<Json> {
    return this.account.show(caller);
  }

  @Put('user')
  async update(@FromBody(updateBody) body: UpdateBody, @FromCaller() caller: Caller): Promise<Json> {
    await this.limits.countRequest('user', caller.ip);
    return await this.account.update(body, caller);
  }

  @Post('logout')
  @HttpCode(204)
  async logOut(@FromQuery('scope') scope: string | undefined, @FromCaller() caller: Caller): Promise<void> {
    await this.account.logOut(scope || 'global', caller);
  }
}
