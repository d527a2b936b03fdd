import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { CompanyDefinition } from './company-definition.js';
import { CompanyService } from './company.service.js';
import { PagesDefinition } from './pages-definition.js';
import { PagesService } from './pages.service.js';
import { SETTINGS_DEFINITIONS, type SettingsDefinition } from './settings-definition.js';
import { SettingsFileService } from './settings-file.service.js';
import { SettingsDocument } from './settings-document.entity.js';
import { SettingsStoreService } from './settings-store.service.js';
import { SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';
import { SettingsVersion } from './settings-version.entity.js';

/** The settings that are edited while the site runs. Needs the global providers of configuration, database and site. */
@Module({
  imports: [MikroOrmModule.forFeature([SettingsDocument, SettingsVersion]), RolesModule, AuditModule],
  controllers: [SettingsController],
  providers: [
    SettingsStoreService,
    CompanyDefinition,
    CompanyService,
    PagesDefinition,
    PagesService,
    SettingsFileService,
    {
      provide: SETTINGS_DEFINITIONS,
      inject: [CompanyDefinition, PagesDefinition],
      useFactory: (...definitions: SettingsDefinition[]) => definitions,
    },
    SettingsService,
  ],
  exports: [SettingsStoreService, CompanyService, SettingsFileService, SettingsService],
})
export class SettingsModule {}
