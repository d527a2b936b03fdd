import { Module } from '@nestjs/common';
import { AttemptsService } from './attempts.service.js';
import { GuessesService } from './guesses.service.js';
import { TokenCodec } from '../tokens/token-codec.js';

/** The limits on guessing, for signing in and for those who administer accounts. */
@Module({
  providers: [AttemptsService, GuessesService, TokenCodec],
  exports: [AttemptsService, GuessesService, TokenCodec],
})
export class GuessesModule {}
