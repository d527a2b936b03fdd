import { Controller, Get, Header, Query, UnprocessableEntityException, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { inputPipe, problemsOf } from '../http/input-pipe.js';
import type { Actor } from '../shared/actor.js';
import { AuditQuery } from '../shared/contracts/audit-query.js';
import type { AuditPage } from '../shared/contracts/audit.js';
import { AuditLogService } from './audit-log.service.js';

const checkedQuery = inputPipe(
  (errors) => new UnprocessableEntityException({ code: 'invalid_query', message: problemsOf(errors)[0]?.message }),
);

/** Lists the audit log. */
@Admin()
@ApiTags('admin: audit')
@UsePipes(checkedQuery)
@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiUnprocessableEntityResponse({ description: '`invalid_query`' })
  @ApiOperation({ summary: 'Who did what to which post or account, newest first' })
  list(@Acting() actor: Actor, @Query() query: AuditQuery): Promise<AuditPage> {
    return this.log.list(actor, query);
  }
}
