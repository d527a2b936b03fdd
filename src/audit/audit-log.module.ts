import { Module } from '@nestjs/common';
import { RolesModule } from '../roles/roles.module.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditController } from './audit.controller.js';

/** Reading the audit log. */
@Module({
  imports: [RolesModule],
  controllers: [AuditController],
  providers: [AuditLogService],
  exports: [AuditLogService],
})
export class AuditLogModule {}
