import { Body, Controller, Header, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Author } from '../http/author.decorator.js';
import type { Actor } from '../shared/actor.js';
import { PostRefusal } from '../shared/contracts/admin-posts.js';
import { PresenceInput, type PostPresence } from '../shared/contracts/post-presence.js';
import { PostId } from './post-id.decorator.js';
import { postInputPipe } from './post-input.pipe.js';
import { PresenceService } from './presence.service.js';

/** Tells editors of each other. */
@Author()
@ApiTags('admin: posts')
@ApiNotFoundResponse({ type: PostRefusal, description: '`post_not_found`' })
@ApiUnprocessableEntityResponse({ type: PostRefusal, description: '`invalid_post`' })
@UsePipes(postInputPipe)
@Controller('api/admin/posts')
export class PresenceController {
  constructor(private readonly presence: PresenceService) {}

  @Post(':id/presence')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Say that an editor has the post open, and learn who else has, and how the post stands' })
  note(@Acting() actor: Actor, @PostId() id: string, @Body() input: PresenceInput): Promise<PostPresence> {
    return this.presence.note(actor, id, input);
  }
}
