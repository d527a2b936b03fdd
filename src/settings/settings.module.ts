import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { SettingsDocument } from './settings-document.entity.js';
import { SettingsStoreService } from './settings-store.service.js';
import { SettingsVersion } from './settings-version.entity.js';

/** The settings that are edited while the site runs. Needs the global providers of configuration, database and site. */
@Module({
  imports: [MikroOrmModule.forFeature([SettingsDocument, SettingsVersion])],
  providers: [SettingsStoreService],
  exports: [SettingsStoreService],
})
export class SettingsModule {}
