import { Module } from '@nestjs/common';
import { SessionUpkeep } from './session-upkeep.js';

/** Removes sessions that are over, in processes that serve. */
@Module({ providers: [SessionUpkeep] })
export class SessionUpkeepModule {}
