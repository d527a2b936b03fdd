import { Module } from '@nestjs/common';
import { SessionUpkeep } from './session-upkeep.js';

/** Removes sessions that are over, and what else of signing in has outlived its time, in processes that serve. */
@Module({ providers: [SessionUpkeep] })
export class SessionUpkeepModule {}
