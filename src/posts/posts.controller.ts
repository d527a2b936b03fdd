import { Controller, Get, Header, NotFoundException, Param, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { PostDetail, type PostSummary } from '../shared/contracts/posts.js';
import { paths } from '../shared/paths.js';
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
  list(): Promise<PostSummary[]> {
    return this.posts.listPublished();
  }

  @Get(':slug')
  @Header('cache-control', 'no-cache')
  @ApiOperation({ summary: 'One published post with its text' })
  @ApiOkResponse({ type: PostDetail })
  @ApiResponse({ status: 301, description: 'the post has another slug now' })
  @ApiNotFoundResponse({ description: '`post_not_found`: no post of that slug is published' })
  async find(
    @Param('slug') slug: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PostDetail | undefined> {
    const post = await this.posts.findPublishedBySlug(slug);
    if (post !== null) return post;
    const moved = await this.posts.findMovedSlug(slug);
    if (moved !== null) {
      reply.status(301).header('location', paths.api.post(moved));
      return undefined;
    }
    throw new NotFoundException({ code: 'post_not_found', message: 'There is no published post at this address.' });
  }
}
