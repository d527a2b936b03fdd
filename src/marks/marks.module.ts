import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { MarksService } from './marks.service.js';
import { SiteMark } from './site-mark.entity.js';

/** Moments that the site remembers by name. */
@Module({ imports: [MikroOrmModule.forFeature([SiteMark])], providers: [MarksService], exports: [MarksService] })
export class MarksModule {}
