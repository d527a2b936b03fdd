import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../http/public.decorator.js';
import type { ArchivePage, BlogList, TermPage } from '../shared/contracts/blog-list.js';
import { listedKinds } from '../shared/term-addresses.js';
import { BlogListService } from './blog-list.service.js';
import { ListingsService } from './listings.service.js';

/** The parts of an address below the blog's, in their order. */
interface ListingParams {
  readonly kind: string;
  readonly name: string;
  readonly second?: string;
  readonly third?: string;
}

/** The data of the blog list, its archive and its terms for navigations in the browser; programs have `GET /api/posts`. */
@Public()
@ApiExcludeController()
@Controller('api/blog')
export class BlogListController {
  constructor(
    private readonly lists: BlogListService,
    private readonly listings: ListingsService,
  ) {}

  @Get()
  @Header('cache-control', 'no-cache')
  list(): Promise<BlogList> {
    return this.lists.list();
  }

  @Get([':kind/:name', ':kind/:name/:second', ':kind/:name/:second/:third'])
  @Header('cache-control', 'no-cache')
  async find(@Param() { kind, name, second, third }: ListingParams): Promise<ArchivePage | TermPage> {
    const known = (['archive', ...listedKinds] as const).find((candidate) => candidate === kind);
    const rest = [name, second, third].filter((part) => part !== undefined);
    const page = known === undefined ? null : await this.listings.find(known, rest);
    if (page === null) throw new NotFoundException({ code: 'listing_not_found', message: 'There are no posts here.' });
    return page;
  }
}
