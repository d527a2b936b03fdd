import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import type { Actor } from '../shared/actor.js';
import type { Revision, RevisionPage } from '../shared/contracts/admin-posts.js';
import { PostErrorResponse } from './admin-post.responses.js';
import { PostId } from './post-id.decorator.js';
import { RevisionPageResponse, RevisionResponse } from './revision.responses.js';
import { RevisionsService } from './revisions.service.js';

/** The versions of posts that were kept. */
@Admin()
@ApiTags('admin: posts')
@ApiNotFoundResponse({ type: PostErrorResponse, description: '`post_not_found` or `revision_not_found`' })
@Controller('api/admin/posts/:id/revisions')
export class RevisionsController {
  constructor(private readonly revisions: RevisionsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The kept versions of a post, newest first, without their texts' })
  @ApiQuery({ name: 'cursor', required: false })
  @ApiOkResponse({ type: RevisionPageResponse })
  list(@Acting() actor: Actor, @PostId() id: string, @Query('cursor') cursor?: string): Promise<RevisionPage> {
    return this.revisions.list(actor, id, cursor);
  }

  @Get(':revisionId')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'One kept version of a post' })
  @ApiOkResponse({ type: RevisionResponse })
  find(@Acting() actor: Actor, @PostId() id: string, @Param('revisionId') revisionId: string): Promise<Revision> {
    return this.revisions.find(actor, id, revisionId);
  }
}
