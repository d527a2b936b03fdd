import {
  All,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Param,
  Patch,
  Post,
  UseGuards,
  UseInterceptors,
  type CanActivate,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { CONFIG, type Config } from '../../config/config.js';
import { Public } from '../../http/public.decorator.js';
import { AuthError } from '../auth.error.js';
import { KnownDeviceInterceptor } from '../guesses/known-device.interceptor.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import type { CeremonyAnswer } from '../webauthn/passkey-challenges.service.js';
import { PasskeySignInService } from '../webauthn/passkey-sign-in.service.js';
import type { PasskeyJson } from '../webauthn/passkey.presenter.js';
import { PasskeysService } from '../webauthn/passkeys.service.js';
import { FromBody, FromCaller } from './auth-http.js';
import type { Caller } from './caller.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';
import { nameBody, passkeyBody, type NameBody, type PasskeyBody } from './request-bodies.js';
import { RequestLimitsService } from './request-limits.service.js';
import { SignInLogService } from './sign-in-log.service.js';

/** Refuses every call without AUTH_PASSKEYS_ENABLED, before anything of it is looked at. */
@Injectable()
class PasskeysEnabledGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(): boolean {
    if (this.config.auth.arePasskeysEnabled) return true;
    throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
  }
}

/** Passkeys: one's own, and signing in with them (auth-api.md 3.19 and 3.20). The services ask for a session. */
@Public()
@ApiExcludeController()
@UseGuards(PasskeysEnabledGuard)
@UseInterceptors(DeadlineInterceptor, KnownDeviceInterceptor)
@Controller('passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIns: PasskeySignInService,
    private readonly limits: RequestLimitsService,
    private readonly log: SignInLogService,
  ) {}

  @Post('registration/options')
  @HttpCode(200)
  async beginRegistration(
    @FromCaller() caller: Caller,
  ): Promise<CeremonyAnswer<PublicKeyCredentialCreationOptionsJSON>> {
    await this.limits.countRequest('user', caller.ip);
    return await this.passkeys.begin(caller);
  }

  @Post('registration/verify')
  @HttpCode(200)
  async finishRegistration(
    @FromBody(passkeyBody) body: PasskeyBody,
    @FromCaller() caller: Caller,
  ): Promise<PasskeyJson> {
    await this.limits.countRequest('user', caller.ip);
    return await this.passkeys.finish(body, caller);
  }

  @Post('authentication/options')
  @HttpCode(200)
  async beginSignIn(@FromCaller() { ip }: Caller): Promise<CeremonyAnswer<PublicKeyCredentialRequestOptionsJSON>> {
    await this.limits.countRequest('token', ip);
    return await this.signIns.begin();
  }

  @Post('authentication/verify')
  @HttpCode(200)
  async finishSignIn(@FromBody(passkeyBody) body: PasskeyBody, @FromCaller() caller: Caller): Promise<TokenResponse> {
    const limited = this.limits.countRequest('token', caller.ip);
    return await this.log.counted(
      'passkey',
      limited.then(() => this.signIns.finish(body, caller)),
    );
  }

  @Get()
  list(@FromCaller() caller: Caller): Promise<PasskeyJson[]> {
    return this.passkeys.list(caller);
  }

  @Patch(':id')
  rename(
    @Param('id') id: string,
    @FromBody(nameBody) { friendly_name: name }: NameBody,
    @FromCaller() caller: Caller,
  ): Promise<PasskeyJson> {
    return this.passkeys.rename(id, name, caller);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') id: string, @FromCaller() caller: Caller): Promise<void> {
    return this.passkeys.remove(id, caller);
  }

  @All('*')
  refuse(): never {
    throw new AuthError(404, 'not_found', 'There is nothing at this address');
  }
}
