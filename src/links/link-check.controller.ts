import { Body, Controller, Header, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import { PostRefusal } from '../shared/contracts/admin-posts.js';
import { DeadLinkCountInput, type DeadLinkCounts } from '../shared/contracts/links.js';
import { LinkCheckInput, type LinkCheckResult } from '../shared/contracts/link-check.js';
import { LinksService } from './links.service.js';
import { postInputPipe } from '../posts/post-input.pipe.js';

/** Answers where links of posts lead. */
@Author()
@ApiTags('admin: posts')
@ApiUnprocessableEntityResponse({ type: PostRefusal, description: '`invalid_post`' })
@UsePipes(postInputPipe)
@Controller('api/admin/links')
export class LinkCheckController {
  constructor(private readonly links: LinksService) {}

  @Post('check')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What links within this site lead to: a page, none, or a post that readers do not see' })
  check(@Acting() actor: Actor, @Body() { paths }: LinkCheckInput): Promise<LinkCheckResult> {
    return this.links.check(actor, paths);
  }

  @Post('counts')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'How many dead links posts of a list have; those without any are left out' })
  async count(@Acting() actor: Actor, @Body() { ids }: DeadLinkCountInput): Promise<DeadLinkCounts> {
    const counts = await this.links.countDead(actor, ids);
    return { posts: [...counts].flatMap(([id, links]) => (links > 0 ? { id, links } : [])) };
  }
}
