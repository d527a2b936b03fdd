import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** Lets every room count for metrics. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
