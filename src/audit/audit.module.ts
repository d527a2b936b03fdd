import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';

/** Writing the audit log; knows no other room, so that each can use it. Needs the global provider Clock. */
@Module({ providers: [AuditService], exports: [AuditService] })
export class AuditModule {}
