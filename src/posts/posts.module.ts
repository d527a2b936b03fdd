import { Module } from '@nestjs/common';
import { RolesModule } from '../roles/roles.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImportService } from './import.service.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';

/** Posts: reading, writing, importing. Needs the global providers CONFIG, EntityManager and ContentNotifier. */
@Module({
  imports: [UploadsModule, RolesModule],
  controllers: [PostsController],
  providers: [PostsService, ImportService],
  exports: [PostsService, ImportService],
})
export class PostsModule {}
