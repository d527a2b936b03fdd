import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
  UsePipes,
} from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import type { Actor } from '../shared/actor.js';
import { inputPipe } from '../http/input-pipe.js';
import { UuidPipe } from '../http/uuid.pipe.js';
import type { EnquiryAssignee, EnquiryCounts, EnquiryPage, EnquiryRecord } from '../shared/contracts/enquiries.js';
import {
  ChangeEnquiryInput,
  EnquiryAnswerInput,
  EnquiryExportQuery,
  EnquiryQuery,
} from '../shared/contracts/enquiry-queries.js';
import { EnquiriesService } from './enquiries.service.js';
import { EnquiryAnswersService } from './enquiry-answers.service.js';

const NotFound = () => ApiNotFoundResponse({ description: '`enquiry_not_found`: it never was, or was erased' });

/** Enquiries for administrators. */
@Admin()
@ApiTags('enquiries')
@UsePipes(inputPipe())
@Controller('api/admin/enquiries')
export class EnquiriesController {
  constructor(
    private readonly enquiries: EnquiriesService,
    private readonly answers: EnquiryAnswersService,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Enquiries, the newest first, a page at a time' })
  list(@Query() query: EnquiryQuery, @Acting() actor: Actor): Promise<EnquiryPage> {
    return this.enquiries.list(actor, query);
  }

  @Get('export')
  @ApiOperation({
    summary:
      'The enquiries of a filter as a file; the CSV is safe to open in a spreadsheet, and has a byte order mark for it',
  })
  @ApiProduces('text/csv', 'application/json')
  @ApiOkResponse({ description: 'The file' })
  async export(@Query() query: EnquiryExportQuery, @Acting() actor: Actor, @Res() reply: FastifyReply): Promise<void> {
    const { format } = query;
    await reply
      .headers({
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="enquiries.${format}"`,
        'cache-control': 'no-store',
      })
      .send(Readable.from(this.enquiries.export(actor, query, true)));
  }

  @Get('counts')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'How many enquiries wait for somebody' })
  count(@Acting() actor: Actor): Promise<EnquiryCounts> {
    return this.enquiries.count(actor);
  }

  @Get('assignees')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The administrators, whom enquiries can be assigned to' })
  listAssignees(@Acting() actor: Actor): Promise<EnquiryAssignee[]> {
    return this.enquiries.listAssignees(actor);
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'One enquiry' })
  @NotFound()
  find(@Param('id') id: string, @Acting() actor: Actor): Promise<EnquiryRecord> {
    return this.enquiries.find(actor, id);
  }

  @Post(':id/resend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send its mail now: again if the mail server took it, else without waiting any longer' })
  @NotFound()
  @ApiConflictResponse({ description: '`enquiry_redacted`: its message is gone' })
  resend(@Param('id') id: string, @Acting() actor: Actor): Promise<EnquiryRecord> {
    return this.enquiries.resend(actor, id);
  }

  @Put(':id/opened')
  @ApiOperation({ summary: 'Note that somebody has opened it: it is no longer new' })
  @NotFound()
  open(@Param('id') id: string, @Acting() actor: Actor): Promise<EnquiryRecord> {
    return this.enquiries.open(actor, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change state, assignee and note' })
  @NotFound()
  @ApiConflictResponse({
    description: '`enquiry_changed`, with `current`: somebody else was faster; `enquiry_redacted`: it takes no note',
  })
  update(@Param('id') id: string, @Body() input: ChangeEnquiryInput, @Acting() actor: Actor): Promise<EnquiryRecord> {
    return this.enquiries.update(actor, id, input);
  }

  @Put(':id/answers/:answerId')
  @ApiOperation({ summary: 'Answer it by mail; the id is made by the sender, so that an answer sent twice is one' })
  @NotFound()
  @ApiConflictResponse({
    description:
      '`enquiry_changed`, with `current`: somebody else was faster; `answer_exists`: the id has other words; ' +
      '`enquiry_redacted`: its message is gone',
  })
  answer(
    @Param('id', new UuidPipe()) id: string,
    @Param('answerId', new UuidPipe()) answerId: string,
    @Body() input: EnquiryAnswerInput,
    @Acting() actor: Actor,
  ): Promise<EnquiryRecord> {
    return this.answers.answer(actor, id, answerId, input);
  }

  @Post(':id/answers/:answerId/resend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try an answer again now that did not leave yet, or was refused' })
  @NotFound()
  @ApiConflictResponse({ description: '`enquiry_redacted`: its words are gone' })
  retryAnswer(
    @Param('id', new UuidPipe()) id: string,
    @Param('answerId', new UuidPipe()) answerId: string,
    @Acting() actor: Actor,
  ): Promise<EnquiryRecord> {
    return this.answers.retry(actor, id, answerId);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Erase it, its jobs and its captured mail' })
  @ApiNoContentResponse({ description: 'It is gone' })
  @NotFound()
  async erase(@Param('id') id: string, @Acting() actor: Actor): Promise<void> {
    await this.enquiries.erase(actor, id);
  }
}
