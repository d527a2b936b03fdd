import { Module } from '@nestjs/common';
import { AUTHENTICATOR } from '../http/authenticator.js';
import { AccessTokenService } from './access-token.service.js';
import { AuthenticationService } from './authentication.service.js';
import { DerivedKeysService } from './derived-keys.service.js';
import { RequestAuthenticator } from './request-authenticator.js';
import { SigningKeysService } from './signing-keys.service.js';

/** Finds out who makes a call; answers the guard's question about it. */
@Module({
  providers: [
    SigningKeysService,
    AccessTokenService,
    AuthenticationService,
    DerivedKeysService,
    { provide: AUTHENTICATOR, useClass: RequestAuthenticator },
  ],
  exports: [SigningKeysService, AccessTokenService, AuthenticationService, DerivedKeysService, AUTHENTICATOR],
})
export class AuthenticationModule {}
