import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import type { Actor } from '../shared/actor.js';
import type { AuditPage } from '../shared/contracts/admin-posts.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditPageResponse } from './audit.responses.js';

/** Lists the audit log. */
@Admin()
@ApiTags('admin: audit')
@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Who did what to which post or account, newest first' })
  @ApiQuery({ name: 'subject_type', required: false })
  @ApiQuery({ name: 'subject_id', required: false })
  @ApiQuery({ name: 'actor', required: false, description: 'an email address, `operator` or `system`' })
  @ApiQuery({ name: 'action', required: false })
  @ApiQuery({ name: 'cursor', required: false })
  @ApiOkResponse({ type: AuditPageResponse })
  list(@Acting() actor: Actor, @Query() query: Readonly<Record<string, unknown>>): Promise<AuditPage> {
    const textOf = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined);
    return this.log.list(actor, {
      subjectType: textOf('subject_type'),
      subjectId: textOf('subject_id'),
      actor: textOf('actor'),
      action: textOf('action'),
      cursor: textOf('cursor'),
    });
  }
}
