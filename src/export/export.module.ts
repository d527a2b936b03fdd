import { Module } from '@nestjs/common';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { PostsExportService } from './posts-export.service.js';

/** Takes posts out, to Markdown or JSON. */
@Module({
  imports: [UploadsModule, RedirectsModule, RolesModule],
  providers: [PostsExportService],
  exports: [PostsExportService],
})
export class ExportModule {}
