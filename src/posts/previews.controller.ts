import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../http/public.decorator.js';
import type { PostDetail } from '../shared/contracts/posts.js';
import { PreviewsService } from './previews.service.js';

/** Posts that are not published, for who has a link. */
@Public()
@ApiTags('posts')
@Controller('api/previews')
export class PreviewsController {
  constructor(private readonly previews: PreviewsService) {}

  @Get(':token')
  @Header('cache-control', 'private, no-store')
  @Header('x-robots-tag', 'noindex')
  @ApiOperation({ summary: 'The post of a preview link, as its author sees it' })
  @ApiNotFoundResponse({ description: '`preview_not_found`: the link is wrong or has expired' })
  async find(@Param('token') token: string): Promise<PostDetail> {
    const post = await this.previews.find(token);
    if (post !== null) return post;
    throw new NotFoundException({ code: 'preview_not_found', message: 'This link is wrong or has expired.' });
  }
}
