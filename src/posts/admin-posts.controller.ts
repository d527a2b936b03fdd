import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Put, Query, UsePipes } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import { Author } from '../http/author.decorator.js';
import { UuidPipe } from '../http/uuid.pipe.js';
import type { Actor } from '../shared/actor.js';
import {
  BulkInput,
  CreatePostInput,
  GivePostInput,
  KeepWorkingCopyInput,
  PostFilterQuery,
  PostListQuery,
  PublicationInput,
  PublicationUndoInput,
  SavePostInput,
  ScheduleInput,
  VersionInput,
} from '../shared/contracts/admin-post-inputs.js';
import {
  PostRefusal,
  type AdminPost,
  type AdminPostCount,
  type AdminPostFacets,
  type AdminPostListItem,
  type AdminPostPage,
  type BulkResult,
  type GivenPost,
  type PreviewLink,
} from '../shared/contracts/admin-posts.js';
import { ReplaceImageInput } from '../shared/contracts/media-query.js';
import type { ReplacedImage } from '../shared/contracts/media.js';
import { BulkService } from './bulk.service.js';
import { DuplicationService } from './duplication.service.js';
import { EditingService } from './editing.service.js';
import { ImageReplacementService } from './image-replacement.service.js';
import { PostId } from './post-id.decorator.js';
import { postInputPipe } from './post-input.pipe.js';
import { PostOwnersService } from './post-owners.service.js';
import { PostListService } from './post-list.service.js';
import { PreviewLinkNotFoundException } from './post.errors.js';
import { PreviewsService } from './previews.service.js';
import { PublicationUndoService } from './publication-undo.service.js';
import { PublishingService } from './publishing.service.js';
import { SchedulingService } from './scheduling.service.js';
import { TrashService } from './trash.service.js';
import { WorkingCopiesService } from './working-copies.service.js';

/** Writing and publishing posts. */
@Author()
@ApiTags('admin: posts')
@ApiNotFoundResponse({ type: PostRefusal, description: '`post_not_found`' })
@ApiConflictResponse({
  type: PostRefusal,
  description: '`post_changed`, `slug_taken`, `unsaved_changes`, `post_trashed`, `post_not_trashed` or `image_gone`',
})
@ApiUnprocessableEntityResponse({ type: PostRefusal, description: '`invalid_post` or `invalid_schedule`' })
@UsePipes(postInputPipe)
@Controller('api/admin/posts')
export class AdminPostsController {
  constructor(
    private readonly posts: PostListService,
    private readonly editing: EditingService,
    private readonly copies: WorkingCopiesService,
    private readonly duplication: DuplicationService,
    private readonly publishing: PublishingService,
    private readonly undoing: PublicationUndoService,
    private readonly trash: TrashService,
    private readonly bulk: BulkService,
    private readonly scheduling: SchedulingService,
    private readonly previews: PreviewsService,
    private readonly images: ImageReplacementService,
    private readonly owners: PostOwnersService,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A part of all posts, for authors of their own; without a state, all but the trash' })
  list(@Acting() actor: Actor, @Query() query: PostListQuery): Promise<AdminPostPage> {
    return this.posts.list(actor, query);
  }

  @Get('count')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'How many posts a filter has' })
  count(@Acting() actor: Actor, @Query() filter: PostFilterQuery): Promise<AdminPostCount> {
    return this.posts.count(actor, filter);
  }

  @Get('facets')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What the list can be narrowed to' })
  listFacets(@Acting() actor: Actor): Promise<AdminPostFacets> {
    return this.posts.listFacets(actor);
  }

  @Post('bulk')
  @HttpCode(200)
  @ApiOperation({ summary: 'One change of many posts, each by itself' })
  changeMany(@Acting() actor: Actor, @Body() input: BulkInput): Promise<BulkResult> {
    return this.bulk.apply(actor, input);
  }

  @Admin()
  @Post('replace-image')
  @HttpCode(200)
  @ApiOperation({ summary: 'Show one image instead of another in all posts and in edits that wait' })
  replaceImage(@Acting() actor: Actor, @Body() input: ReplaceImageInput): Promise<ReplacedImage> {
    return this.images.replace(actor, input);
  }

  @Post()
  @ApiOperation({ summary: 'Create a post' })
  create(@Acting() actor: Actor, @Body() input: CreatePostInput): Promise<AdminPost> {
    return this.editing.create(actor, input);
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A post as the editor needs it' })
  find(@Acting() actor: Actor, @PostId() id: string): Promise<AdminPost> {
    return this.editing.find(actor, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Save a post; publishes it or takes it back when `is_published` says so' })
  save(@Acting() actor: Actor, @PostId() id: string, @Body() input: SavePostInput): Promise<AdminPost> {
    return this.editing.save(actor, id, input);
  }

  @Put(':id/working-copy')
  @ApiOperation({ summary: 'Keep edits without saving them; a draft takes them when it could be saved so' })
  @ApiPayloadTooLargeResponse({ type: PostRefusal, description: '`request_too_large`' })
  keepWorkingCopy(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Body() input: KeepWorkingCopyInput,
  ): Promise<AdminPost> {
    return this.copies.keep(actor, id, input);
  }

  @Delete(':id/working-copy')
  @ApiOperation({ summary: 'Discard the edits that were kept' })
  discardWorkingCopy(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Query() { version }: VersionInput,
  ): Promise<AdminPost> {
    return this.copies.discard(actor, id, version);
  }

  @Put(':id/publication')
  @ApiOperation({ summary: 'Publish a post, or take it back' })
  setPublication(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Body() input: PublicationInput,
  ): Promise<AdminPostListItem> {
    return this.publishing.setPublication(actor, id, input);
  }

  @Post(':id/publication/undo')
  @HttpCode(200)
  @ApiOperation({ summary: 'Take back the last decision about who sees the post, if nothing was done to it since' })
  undoPublication(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Body() input: PublicationUndoInput,
  ): Promise<AdminPostListItem> {
    return this.undoing.undo(actor, id, input);
  }

  @Admin()
  @Put(':id/owner')
  @ApiOperation({ summary: 'Give a post to somebody with a role, or to nobody; its version stays' })
  async give(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Body() { user_id: userId }: GivePostInput,
  ): Promise<GivenPost> {
    return { owner: await this.owners.give(actor, id, userId) };
  }

  @Put(':id/schedule')
  @ApiOperation({ summary: 'Plan when a post is published, or take the plan back' })
  schedule(@Acting() actor: Actor, @PostId() id: string, @Body() input: ScheduleInput): Promise<AdminPost> {
    return this.scheduling.schedule(actor, id, input);
  }

  @Post(':id/preview-links')
  @ApiOperation({ summary: 'A link at which the post can be read for seven days, by whoever has it; one for each day' })
  createPreviewLink(@Acting() actor: Actor, @PostId() id: string): Promise<PreviewLink> {
    return this.previews.createLink(actor, id);
  }

  @Get(':id/preview-links')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The preview links that can be used, the newest first' })
  listPreviewLinks(@Acting() actor: Actor, @PostId() id: string): Promise<PreviewLink[]> {
    return this.previews.listLinks(actor, id);
  }

  @Delete(':id/preview-links/:linkId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Withdraw a preview link at once and for good' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ type: PostRefusal, description: '`preview_link_not_found`' })
  withdrawPreviewLink(
    @Acting() actor: Actor,
    @PostId() id: string,
    @Param('linkId', new UuidPipe({ exceptionFactory: () => new PreviewLinkNotFoundException() })) linkId: string,
  ): Promise<void> {
    return this.previews.withdrawLink(actor, id, linkId);
  }

  @Delete(':id/preview-links')
  @HttpCode(204)
  @ApiOperation({ summary: 'Withdraw all preview links, those of version 0.1.0 too, which are not listed' })
  @ApiNoContentResponse()
  withdrawPreviewLinks(@Acting() actor: Actor, @PostId() id: string): Promise<void> {
    return this.previews.withdrawAll(actor, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Put a post into the trash, from which it can be restored for 30 days' })
  moveToTrash(@Acting() actor: Actor, @PostId() id: string, @Query() { version }: VersionInput): Promise<AdminPost> {
    return this.trash.trash(actor, id, version);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Take a post out of the trash, as a draft' })
  restore(@Acting() actor: Actor, @PostId() id: string, @Body() { version }: VersionInput): Promise<AdminPost> {
    return this.trash.restore(actor, id, version);
  }

  @Delete(':id/permanently')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a post of the trash for good' })
  @ApiNoContentResponse()
  deletePermanently(@Acting() actor: Actor, @PostId() id: string, @Query() { version }: VersionInput): Promise<void> {
    return this.trash.deletePermanently(actor, id, version);
  }

  @Post(':id/duplicate')
  @ApiOperation({ summary: 'A draft with the same contents' })
  duplicate(@Acting() actor: Actor, @PostId() id: string): Promise<AdminPost> {
    return this.duplication.duplicate(actor, id);
  }
}
