import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ADMIN_READER } from '../http/admin-reader.js';
import { MeController } from './me.controller.js';
import { RolesService } from './roles.service.js';
import { UserRole } from './user-role.entity.js';

/** Roles of users. Tells the guard who is an administrator. */
@Module({
  imports: [MikroOrmModule.forFeature([UserRole]), AuditModule],
  controllers: [MeController],
  providers: [RolesService, { provide: ADMIN_READER, useExisting: RolesService }],
  exports: [RolesService, ADMIN_READER],
})
export class RolesModule {}
