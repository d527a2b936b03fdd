import { Module } from '@nestjs/common';
import { UsersModule } from '../auth/admin/users.module.js';
import { AccountNoticesModule } from '../auth/mails/account-notices.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { PeopleController } from './people.controller.js';
import { PeopleService } from './people.service.js';

/** The people of the admin area. */
@Module({
  imports: [RolesModule, PostsModule, UsersModule, AccountNoticesModule],
  controllers: [PeopleController],
  providers: [PeopleService],
  exports: [PeopleService],
})
export class PeopleModule {}
