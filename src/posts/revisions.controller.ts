import { Controller, Get, Header, Param, Query, UsePipes } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import { RevisionQuery } from '../shared/contracts/admin-post-inputs.js';
import { PostRefusal, type Revision, type RevisionPage } from '../shared/contracts/admin-posts.js';
import { PostId } from './post-id.decorator.js';
import { postInputPipe } from './post-input.pipe.js';
import { RevisionsService } from './revisions.service.js';

/** The versions of posts that were kept. */
@Author()
@ApiTags('admin: posts')
@ApiNotFoundResponse({ type: PostRefusal, description: '`post_not_found` or `revision_not_found`' })
@UsePipes(postInputPipe)
@Controller('api/admin/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly revisions: RevisionsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiUnprocessableEntityResponse({ type: PostRefusal, description: '`invalid_post`: the cursor is none' })
  @ApiOperation({ summary: 'The kept versions of a post, newest first, without their texts' })
  list(@Acting() actor: Actor, @PostId() id: string, @Query() { cursor }: RevisionQuery): Promise<RevisionPage> {
    return this.revisions.list(actor, id, cursor);
  }

  @Get(':revisionId')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'One kept version of a post' })
  find(@Acting() actor: Actor, @PostId() id: string, @Param('revisionId') revisionId: string): Promise<Revision> {
    return this.revisions.find(actor, id, revisionId);
  }
}
