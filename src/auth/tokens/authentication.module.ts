import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { AccessTokenStrategy } from './access-token.strategy.js';
import { AccessTokensModule } from './access-tokens.module.js';
import { AuthenticationService } from './authentication.service.js';
import { SessionTicketsService } from './session-tickets.service.js';
import { DerivedKeysService } from '../keys/derived-keys.service.js';

// Passport keeps its strategies per process. A name of its own for each application keeps two in one process apart:
// each asks its own database and its own keys.
const Passport = PassportModule.registerAsync({
  useFactory: () => ({ defaultStrategy: `access-token-${randomUUID()}` }),
});

/** Finds out who makes a call; holds the strategy that the guard of all routes asks. */
@Module({
  imports: [AccessTokensModule, Passport],
  providers: [AuthenticationService, DerivedKeysService, AccessTokenStrategy, SessionTicketsService],
  exports: [AccessTokensModule, AuthenticationService, DerivedKeysService, SessionTicketsService, Passport],
})
export class AuthenticationModule {}
