import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Query,
  UnprocessableEntityException,
  UsePipes,
} from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../../http/acting.decorator.js';
import { Author } from '../../http/author.decorator.js';
import { inputPipe, problemsOf } from '../../http/input-pipe.js';
import type { Actor } from '../../shared/actor.js';
import { PostRefusal } from '../../shared/contracts/admin-posts.js';
import { CommentQuery, type ManagedCommentPage } from '../../shared/contracts/comments.js';
import { PostId } from '../post-id.decorator.js';
import { CommentKeepingService } from './comment-keeping.service.js';

const checkedQuery = inputPipe(
  (errors) => new UnprocessableEntityException({ code: 'invalid_query', message: problemsOf(errors)[0]?.message }),
);

/** Lists and removes the comments that came with imported posts. */
@Author()
@ApiTags('admin: posts')
@UsePipes(checkedQuery)
@Controller('api/admin/comments')
export class CommentsController {
  constructor(private readonly comments: CommentKeepingService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiUnprocessableEntityResponse({ description: '`invalid_query`' })
  @ApiOperation({ summary: 'The comments below posts, the newest first; for authors those below their own posts' })
  list(@Acting() actor: Actor, @Query() query: CommentQuery): Promise<ManagedCommentPage> {
    return this.comments.list(actor, query);
  }

  @Delete(':id/:comment')
  @HttpCode(204)
  @ApiNotFoundResponse({ type: PostRefusal, description: '`comment_not_found` or `post_not_found`' })
  @ApiOperation({ summary: 'Remove a comment below the post of this id for good: no import brings it again' })
  remove(@Acting() actor: Actor, @PostId() id: string, @Param('comment') comment: string): Promise<void> {
    return this.comments.remove(actor, id, comment);
  }
}
