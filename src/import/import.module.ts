import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImportService } from './import.service.js';
import { ImportedOriginalsService } from './imported-originals.service.js';

/** Brings posts in from other blogs, and once more the images that they came with. */
@Module({
  imports: [PostsModule, UploadsModule, RedirectsModule],
  providers: [ImportService, ImportedOriginalsService],
  exports: [ImportService, ImportedOriginalsService],
})
export class ImportModule {}
