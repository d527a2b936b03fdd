import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImportService } from './import.service.js';
import { ImportedOriginalsService } from './imported-originals.service.js';
import { ImportedPostsService } from './imported-posts.service.js';

/** Brings posts in from other blogs, and once more the images that they came with. */
@Module({
  imports: [AuditModule, PostsModule, RedirectsModule, RolesModule, UploadsModule],
  providers: [ImportService, ImportedOriginalsService, ImportedPostsService],
  exports: [ImportService, ImportedOriginalsService, ImportedPostsService],
})
export class ImportModule {}
