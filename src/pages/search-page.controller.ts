import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { SearchService, TooManySearchesException } from '../posts/search/search.service.js';
import { cleanLine } from '../shared/clean-characters.js';
import type { PageContext } from '../shared/contracts/pages.js';
import { SEARCH_MAX } from '../shared/limits.js';
import { paths } from '../shared/paths.js';
import { PageAnswers } from './page-answers.js';
import { PageRenderer } from './page-renderer.js';
import { ServerPageServices } from './page-services.js';

/** The one page that depends on its query: it is made for each request, and kept nowhere (decision 85). */
@Public()
@ApiExcludeController()
@Controller()
export class SearchPageController {
  constructor(
    private readonly searches: SearchService,
    private readonly renderer: PageRenderer,
    private readonly answers: PageAnswers,
    private readonly services: ServerPageServices,
  ) {}

  @Get(paths.search())
  async getPage(@Query('q') typed: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = typeof typed === 'string' ? cleanLine(typed, SEARCH_MAX) : '';
    await this.answers.sendOnce(request, reply, paths.search(), async () => {
      const search = await this.search(query, request, reply);
      return this.renderer.renderOnce(paths.search(), search.problem === null ? 200 : 429, { search });
    });
  }

  private async search(
    query: string,
    { clientAddress }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<NonNullable<PageContext['search']>> {
    try {
      const result = await this.services.within(this.searches.search(query, clientAddress));
      return { result, problem: null };
    } catch (error) {
      if (!(error instanceof TooManySearchesException)) throw error;
      reply.header('retry-after', String(error.retryAfter));
      return { result: { query, results: [], has_more: false, is_similar: false }, problem: error.message };
    }
  }
}
