import { Controller, Get, Header, Query, Req, UsePipes } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOperation, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { inputPipe } from '../../http/input-pipe.js';
import { Public } from '../../http/public.decorator.js';
import { SearchInput, type SearchAnswer } from '../../shared/contracts/search.js';
import { SearchService } from './search.service.js';

/** The search of published posts, for everyone. */
@Public()
@ApiTags('posts')
@Controller('api/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @UsePipes(inputPipe())
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Find published posts by words in their title, excerpt, tags, category and text',
    description: 'The best ones come first. Words that no post has find titles with words like them.',
  })
  @ApiBadRequestResponse({ description: '`validation_failed`: the search is too long' })
  @ApiTooManyRequestsResponse({ description: '`over_search_limit`: too many from one network' })
  search(@Query() { q }: SearchInput, @Req() { clientAddress }: FastifyRequest): Promise<SearchAnswer> {
    return this.searches.search(q, clientAddress);
  }
}
