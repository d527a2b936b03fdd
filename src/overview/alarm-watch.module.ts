import { Module } from '@nestjs/common';
import { MarksModule } from '../marks/marks.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AlarmWatch } from './alarm-watch.js';

/** Tells another system of alarms, in processes that serve; there is none of it where nobody is told. */
@Module({ imports: [MarksModule, WebhooksModule], providers: [AlarmWatch], exports: [AlarmWatch] })
export class AlarmWatchModule {}
