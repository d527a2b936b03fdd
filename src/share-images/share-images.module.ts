import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ShareImage } from './share-image.entity.js';
import { ShareImagesController } from './share-images.controller.js';
import { ShareImagesService } from './share-images.service.js';

/** Drawn share images. Needs the global providers of configuration and database. */
@Module({
  imports: [MikroOrmModule.forFeature([ShareImage]), UploadsModule],
  controllers: [ShareImagesController],
  providers: [ShareImagesService],
  exports: [ShareImagesService],
})
export class ShareImagesModule {}
