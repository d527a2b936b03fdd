import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { RedirectsModule } from '../redirects/redirects.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { LinkCheckController } from './link-check.controller.js';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { PostLinks } from './post-links.entity.js';

/** Links of posts, and where they lead. Needs the global providers of configuration and database. */
@Module({
  imports: [MikroOrmModule.forFeature([PostLinks]), RedirectsModule, RolesModule],
  controllers: [LinkCheckController, LinksController],
  providers: [LinksService],
  exports: [LinksService],
})
export class LinksModule {}
