import { Module } from '@nestjs/common';
import { SigningKeysService } from './signing-keys.service.js';

/** The keys of access tokens. Needs the global provider CONFIG. */
@Module({ providers: [SigningKeysService], exports: [SigningKeysService] })
export class SigningKeysModule {}
