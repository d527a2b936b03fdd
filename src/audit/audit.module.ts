import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuditDataService } from './audit-data.service.js';
import { AuditService } from './audit.service.js';
import { AuditRecord } from './audit-entry.entity.js';

/** Writing the audit log; knows no other room, so that each can use it. Needs the global provider Clock. */
@Module({
  imports: [MikroOrmModule.forFeature([AuditRecord])],
  providers: [AuditService, AuditDataService],
  exports: [AuditService, AuditDataService],
})
export class AuditModule {}
