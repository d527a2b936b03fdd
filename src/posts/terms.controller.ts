import { Body, Controller, Get, Header, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import { PostRefusal } from '../shared/contracts/admin-posts.js';
import { RenameTermInput, type RenamedTerm, type TermLists } from '../shared/contracts/terms.js';
import { postInputPipe } from './post-input.pipe.js';
import { TermsService } from './terms.service.js';

/** Categories and tags of posts. */
@Author()
@ApiTags('admin: posts')
@UsePipes(postInputPipe)
@Controller('api/admin/terms')
export class TermsController {
  constructor(private readonly terms: TermsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'All categories, tags and authors, and how many posts have them' })
  list(@Acting() actor: Actor): Promise<TermLists> {
    return this.terms.list(actor);
  }

  @Admin()
  @Post('rename')
  @HttpCode(200)
  @ApiOperation({ summary: 'Rename a category or a tag in all posts; one that has the new name takes its posts' })
  @ApiUnprocessableEntityResponse({ type: PostRefusal, description: '`invalid_post`' })
  rename(@Acting() actor: Actor, @Body() input: RenameTermInput): Promise<RenamedTerm> {
    return this.terms.rename(actor, input);
  }
}
