import { Module } from '@nestjs/common';
import { JwtModule, JwtSecretRequestType, type JwtModuleOptions } from '@nestjs/jwt';
import { AccessTokenService } from './access-token.service.js';
import { SIGNING_ALGORITHMS } from '../keys/signing-key.js';
import { SigningKeysModule } from '../keys/signing-keys.module.js';
import { SigningKeysService } from '../keys/signing-keys.service.js';
import { findTokenKey } from './token-key.js';

/** Signs with the current key, and verifies with the key that a token names. */
function toJwtOptions(keys: SigningKeysService): JwtModuleOptions {
  const { alg, kid, signing } = keys.current;
  return {
    secretOrKeyProvider: (type, token) =>
      type === JwtSecretRequestType.SIGN ? signing : findTokenKey(keys, token as string).verifying,
    signOptions: { algorithm: alg, header: { alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }) } },
    verifyOptions: { algorithms: [...SIGNING_ALGORITHMS] },
  };
}

/** Access tokens and their keys. Needs no database: only the global providers CONFIG and Clock. */
@Module({
  imports: [
    SigningKeysModule,
    JwtModule.registerAsync({ imports: [SigningKeysModule], inject: [SigningKeysService], useFactory: toJwtOptions }),
  ],
  providers: [AccessTokenService],
  exports: [AccessTokenService, SigningKeysModule],
})
export class AccessTokensModule {}
