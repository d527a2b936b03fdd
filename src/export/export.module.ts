import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { PostDocumentsService } from './post-documents.service.js';
import { PostsExportService } from './posts-export.service.js';

/** Takes posts out, to Markdown or JSON, and single ones in again. */
@Module({
  imports: [PostsModule, UploadsModule, RedirectsModule, RolesModule],
  providers: [PostsExportService, PostDocumentsService],
  exports: [PostsExportService, PostDocumentsService],
})
export class ExportModule {}
