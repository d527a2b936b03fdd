import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { UsersModule } from '../auth/admin/users.module.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { SetupAccessService } from './setup-access.service.js';
import { SetupStateService } from './setup-state.service.js';
import { SetupService } from './setup.service.js';
import { SiteSetup } from './site-setup.entity.js';

/** Sets a new site up. Its pages are in `src/pages`. */
@Module({
  imports: [
    MikroOrmModule.forFeature([SiteSetup]),
    UsersModule,
    RolesModule,
    SettingsModule,
    MailModule,
    RateLimitsModule,
  ],
  providers: [SetupAccessService, SetupService, SetupStateService],
  exports: [SetupAccessService, SetupService, SetupStateService],
})
export class SetupModule {}
