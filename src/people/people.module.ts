import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { PeopleService } from './people.service.js';

/** The people of the admin area. */
@Module({
  imports: [RolesModule, PostsModule],
  providers: [PeopleService],
  exports: [PeopleService],
})
export class PeopleModule {}
