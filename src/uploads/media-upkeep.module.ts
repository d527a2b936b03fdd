import { Module } from '@nestjs/common';
import { MediaUpkeep } from './media-upkeep.js';
import { UploadsModule } from './uploads.module.js';

/** Keeps the stored images tidy, in processes that serve. */
@Module({ imports: [UploadsModule], providers: [MediaUpkeep] })
export class MediaUpkeepModule {}
