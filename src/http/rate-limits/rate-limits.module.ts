import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { RateLimitsService } from './rate-limits.service.js';
import { RateLimitBucket } from './rate-limit.entity.js';

/** Limits that all processes share, for every room that has some. */
@Module({
  imports: [MikroOrmModule.forFeature([RateLimitBucket])],
  providers: [RateLimitsService],
  exports: [RateLimitsService],
})
export class RateLimitsModule {}
