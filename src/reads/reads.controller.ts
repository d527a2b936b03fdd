import { Body, Controller, Get, Header, HttpCode, NotFoundException, Post, Query, Req, UsePipes } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import { inputPipe } from '../http/input-pipe.js';
import { Public } from '../http/public.decorator.js';
import type { Actor } from '../shared/actor.js';
import { ReadInput, ReadQuery, type ReadReport } from '../shared/contracts/reads.js';
import { ReadsService } from './reads.service.js';

/** Takes reads of posts, and tells administrators and authors of them. */
@ApiTags('reads')
@UsePipes(inputPipe())
@Controller('api')
export class ReadsController {
  constructor(private readonly reads: ReadsService) {}

  @Public()
  @Post('reads')
  @HttpCode(204)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Count a read of a post',
    description: 'Pages call it after they were shown. The answer is the same whether the read counts or not.',
  })
  @ApiNoContentResponse()
  count(@Req() request: FastifyRequest, @Body() input: ReadInput): void {
    this.reads.note(request, input);
  }

  @Author()
  @Get('admin/reads')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary:
      'How often posts were read, all of them (for authors, their own) or one, and which sites led people to them',
  })
  @ApiNotFoundResponse({ description: '`post_not_found`' })
  async report(@Acting() actor: Actor, @Query() { post }: ReadQuery): Promise<ReadReport> {
    const report = await this.reads.report(actor, post);
    if (report === null) throw new NotFoundException({ code: 'post_not_found', message: 'There is no such post.' });
    return report;
  }
}
