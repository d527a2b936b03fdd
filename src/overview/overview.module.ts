import { Module } from '@nestjs/common';
import { ContactModule } from '../contact/contact.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { GoodStartService } from './good-start.service.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';
import { SiteHealthService } from './site-health.service.js';

/** The start page of the admin area, over the rooms whose facts it shows. */
@Module({
  imports: [ContactModule, PostsModule, RolesModule, SettingsModule],
  controllers: [OverviewController],
  providers: [OverviewService, GoodStartService, SiteHealthService],
})
export class OverviewModule {}
