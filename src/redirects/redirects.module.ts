import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { RedirectsService } from './redirects.service.js';
import { Redirect } from './redirect.entity.js';

/** Old addresses and where they lead. Needs the global providers of configuration and database. */
@Module({
  imports: [MikroOrmModule.forFeature([Redirect]), RolesModule, AuditModule],
  providers: [RedirectsService],
  exports: [RedirectsService],
})
export class RedirectsModule {}
