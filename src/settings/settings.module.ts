import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { SettingsDocument } from './settings-document.entity.js';
import { AuditModule } from '../audit/audit.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { CompanyService } from './company.service.js';
import { SettingsStoreService } from './settings-store.service.js';
import { SettingsVersion } from './settings-version.entity.js';

/** The settings that are edited while the site runs. Needs the global providers of configuration, database and site. */
@Module({
  imports: [MikroOrmModule.forFeature([SettingsDocument, SettingsVersion]), RolesModule, AuditModule],
  providers: [SettingsStoreService, CompanyService],
  exports: [SettingsStoreService, CompanyService],
})
export class SettingsModule {}
