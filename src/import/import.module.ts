import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImportRunPost } from './import-run-post.entity.js';
import { ImportRunRecord } from './import-run-record.entity.js';
import { ImportRunsService } from './import-runs.service.js';
import { ImportService } from './import.service.js';
import { ImportUndoService } from './import-undo.service.js';
import { ImportedOriginalsService } from './imported-originals.service.js';
import { ImportedPostsService } from './imported-posts.service.js';
import { PostImagesService } from './post-images.service.js';
import { RemoteImagesController } from './remote-images.controller.js';
import { RemoteImagesService } from './remote-images.service.js';

/** Brings posts in from other blogs, and images from other sites. */
@Module({
  imports: [
    MikroOrmModule.forFeature([ImportRunRecord, ImportRunPost]),
    AuditModule,
    PostsModule,
    RateLimitsModule,
    RedirectsModule,
    RolesModule,
    UploadsModule,
  ],
  controllers: [RemoteImagesController],
  providers: [
    ImportService,
    ImportRunsService,
    ImportUndoService,
    ImportedOriginalsService,
    ImportedPostsService,
    PostImagesService,
    RemoteImagesService,
  ],
  exports: [
    ImportService,
    ImportRunsService,
    ImportUndoService,
    ImportedOriginalsService,
    ImportedPostsService,
    PostImagesService,
  ],
})
export class ImportModule {}
