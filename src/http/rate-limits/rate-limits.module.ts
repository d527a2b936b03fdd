import { Module } from '@nestjs/common';
import { RateLimitsService } from './rate-limits.service.js';

/** Limits that all processes share, for every room that has some. */
@Module({ providers: [RateLimitsService], exports: [RateLimitsService] })
export class RateLimitsModule {}
