import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../http/public.decorator.js';
import type { PostDetail, PostSummary } from '../shared/contracts/posts.js';
import { PostDetailResponse, PostSummaryResponse } from './post.responses.js';
import { PostsService } from './posts.service.js';

/** Published posts, for everyone. */
@Public()
@ApiTags('posts')
@Controller('api/posts')
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  @Get()
  @Header('cache-control', 'no-cache')
  @ApiOperation({ summary: 'Every published post, newest first, without its text' })
  @ApiOkResponse({ type: [PostSummaryResponse] })
  list(): Promise<PostSummary[]> {
    return this.posts.listPublished();
  }

  @Get(':slug')
  @Header('cache-control', 'no-cache')
  @ApiOperation({ summary: 'One published post with its text' })
  @ApiOkResponse({ type: PostDetailResponse })
  @ApiNotFoundResponse({ description: '`post_not_found`: no post of that slug is published' })
  async find(@Param('slug') slug: string): Promise<PostDetail> {
    const post = await this.posts.findPublishedBySlug(slug);
    if (post !== null) return post;
    throw new NotFoundException({ code: 'post_not_found', message: 'There is no published post at this address.' });
  }
}
