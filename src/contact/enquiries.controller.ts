import { Readable } from 'node:stream';
import { Controller, Delete, Get, Header, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Admin } from '../http/admin.decorator.js';
import { CurrentUser, type SignedInUser } from '../http/signed-in-user.js';
import type { Actor } from '../shared/actor.js';
import { ENQUIRY_STATES, type EnquiryPage, type EnquiryRecord } from '../shared/contracts/enquiries.js';
import { EnquiriesService } from './enquiries.service.js';
import { EnquiryPageResponse, EnquiryResponse } from './enquiry.responses.js';
import { readExportFormat, readListQuery, type ListQuery } from './list-query.js';

const NotFound = () => ApiNotFoundResponse({ description: '`enquiry_not_found`: it never was, or was erased' });

/** Enquiries for administrators. */
@Admin()
@ApiTags('enquiries')
@Controller('api/admin/enquiries')
export class EnquiriesController {
  constructor(private readonly enquiries: EnquiriesService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Enquiries, the newest first, a page at a time' })
  @ApiQuery({ name: 'search', required: false, description: 'in name, address or message' })
  @ApiQuery({ name: 'state', required: false, enum: ENQUIRY_STATES })
  @ApiQuery({ name: 'cursor', required: false, description: '`next_cursor` of the page before' })
  @ApiQuery({ name: 'limit', required: false, type: Number, description: '1 to 100, otherwise 50' })
  @ApiOkResponse({ type: EnquiryPageResponse })
  list(@Query() query: ListQuery, @CurrentUser() user: SignedInUser): Promise<EnquiryPage> {
    return this.enquiries.list(actorOf(user), readListQuery(query));
  }

  @Get('export')
  @ApiOperation({ summary: 'Every enquiry as a file; the CSV is safe to open in a spreadsheet' })
  @ApiQuery({ name: 'format', required: false, enum: ['csv', 'json'] })
  @ApiProduces('text/csv', 'application/json')
  @ApiOkResponse({ description: 'The file' })
  async export(
    @Query('format') wanted: unknown,
    @CurrentUser() user: SignedInUser,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const format = readExportFormat(wanted);
    await reply
      .headers({
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="enquiries.${format}"`,
        'cache-control': 'no-store',
      })
      .send(Readable.from(this.enquiries.export(actorOf(user), format)));
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'One enquiry' })
  @ApiOkResponse({ type: EnquiryResponse })
  @NotFound()
  find(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<EnquiryRecord> {
    return this.enquiries.find(actorOf(user), id);
  }

  @Post(':id/resend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send its mail now: again if the mail server took it, else without waiting any longer' })
  @ApiOkResponse({ type: EnquiryResponse })
  @NotFound()
  @ApiConflictResponse({ description: '`enquiry_redacted`: its message is gone' })
  resend(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<EnquiryRecord> {
    return this.enquiries.resend(actorOf(user), id);
  }

  @Put(':id/handled')
  @ApiOperation({ summary: 'Tick it off' })
  @ApiOkResponse({ type: EnquiryResponse })
  @NotFound()
  handle(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<EnquiryRecord> {
    return this.enquiries.setHandled(actorOf(user), id, true);
  }

  @Delete(':id/handled')
  @ApiOperation({ summary: 'Take the tick back' })
  @ApiOkResponse({ type: EnquiryResponse })
  @NotFound()
  unhandle(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<EnquiryRecord> {
    return this.enquiries.setHandled(actorOf(user), id, false);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Erase it, its jobs and its captured mail' })
  @ApiNoContentResponse({ description: 'It is gone' })
  @NotFound()
  async erase(@Param('id') id: string, @CurrentUser() user: SignedInUser): Promise<void> {
    await this.enquiries.erase(actorOf(user), id);
  }
}

function actorOf({ id }: SignedInUser): Actor {
  return { kind: 'user', userId: id };
}
