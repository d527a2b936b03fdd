import { Global, Module } from '@nestjs/common';
import { Draining } from './draining.js';

/** Tells every room that the process is about to end. */
@Global()
@Module({ providers: [Draining], exports: [Draining] })
export class DrainingModule {}
