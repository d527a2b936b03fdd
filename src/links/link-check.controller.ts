import { Body, Controller, Header, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import { PostRefusal } from '../shared/contracts/admin-posts.js';
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
}
