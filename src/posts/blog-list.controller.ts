import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../http/public.decorator.js';
import type { ArchivePage, BlogList } from '../shared/contracts/blog-list.js';
import { toArchivePlace } from '../shared/paths.js';
import { BlogListService } from './blog-list.service.js';

/** The data of the blog list for navigations in the browser; programs have `GET /api/posts`. */
@Public()
@ApiExcludeController()
@Controller('api/blog')
export class BlogListController {
  constructor(private readonly lists: BlogListService) {}

  @Get()
  @Header('cache-control', 'no-cache')
  list(): Promise<BlogList> {
    return this.lists.list();
  }

  @Get('archive/:year')
  @Header('cache-control', 'no-cache')
  findYear(@Param('year') year: string): Promise<ArchivePage> {
    return this.find(year);
  }

  @Get('archive/:year/:month')
  @Header('cache-control', 'no-cache')
  findMonth(@Param('year') year: string, @Param('month') month: string): Promise<ArchivePage> {
    return this.find(year, month);
  }

  @Get('archive/:year/:month/:part')
  @Header('cache-control', 'no-cache')
  findPart(
    @Param('year') year: string,
    @Param('month') month: string,
    @Param('part') part: string,
  ): Promise<ArchivePage> {
    return this.find(year, month, part);
  }

  private async find(year: string, month?: string, part?: string): Promise<ArchivePage> {
    const place = toArchivePlace(year, month, part);
    const page = place === null ? null : await this.lists.find(place);
    if (page === null) throw new NotFoundException({ code: 'archive_not_found', message: 'There are no posts here.' });
    return page;
  }
}
