import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { AdminPostsController } from './admin-posts.controller.js';
import { EditingService } from './editing.service.js';
import { ImportService } from './import.service.js';
import { PostListService } from './post-list.service.js';
import { PostWriter } from './post-writer.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';
import { PublishingService } from './publishing.service.js';
import { TrashService } from './trash.service.js';

const services = [PostsService, ImportService, PostListService, EditingService, PublishingService, TrashService];

/** Posts: reading, writing, importing. Needs the global providers CONFIG, Clock, EntityManager and ContentNotifier. */
@Module({
  imports: [UploadsModule, RolesModule, AuditModule],
  controllers: [PostsController, AdminPostsController],
  providers: [PostWriter, ...services],
  exports: services,
})
export class PostsModule {}
