import { Module } from '@nestjs/common';
import { ShareImageUpkeep } from './share-image-upkeep.js';
import { ShareImagesModule } from './share-images.module.js';

/** Draws share images, in processes that serve. */
@Module({ imports: [ShareImagesModule], providers: [ShareImageUpkeep] })
export class ShareImageUpkeepModule {}
