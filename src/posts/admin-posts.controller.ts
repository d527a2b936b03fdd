import { Body, Controller, Delete, Get, Header, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiQuery,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Admin } from '../http/admin.decorator.js';
import { Acting } from '../http/acting.decorator.js';
import type { Actor } from '../shared/actor.js';
import { postSorts, postStates, VersionInput } from '../shared/contracts/admin-post-inputs.js';
import type {
  AdminPost,
  AdminPostFacets,
  AdminPostListItem,
  AdminPostPage,
  BulkResult,
  PreviewLink,
} from '../shared/contracts/admin-posts.js';
import { fieldNames } from '../shared/contracts/post-fields.js';
import {
  BulkRequest,
  CreatePostRequest,
  KeepWorkingCopyRequest,
  PublicationRequest,
  SavePostRequest,
  ScheduleRequest,
  VersionRequest,
} from './admin-post.requests.js';
import {
  AdminPostFacetsResponse,
  AdminPostListItemResponse,
  AdminPostPageResponse,
  AdminPostResponse,
  BulkResultResponse,
  PostErrorResponse,
  PreviewLinkResponse,
} from './admin-post.responses.js';
import { BulkService } from './bulk.service.js';
import { DuplicationService } from './duplication.service.js';
import { EditingService } from './editing.service.js';
import { PostId } from './post-id.decorator.js';
import { PostListService } from './post-list.service.js';
import { readInput } from './post-preparation.js';
import { PreviewsService } from './previews.service.js';
import { PublishingService } from './publishing.service.js';
import { SchedulingService } from './scheduling.service.js';
import { TrashService } from './trash.service.js';
import { WorkingCopiesService } from './working-copies.service.js';

const versionOf = (query: unknown): number => readInput(VersionInput, query).version;

const textNames = fieldNames(({ kind }) => kind === 'text').join(', ');
const SEARCH_DESCRIPTION = `words, each of them somewhere in ${textNames} or the title of edits that wait`;

/** Writing and publishing posts. */
@Admin()
@ApiTags('admin: posts')
@ApiNotFoundResponse({ type: PostErrorResponse, description: '`post_not_found`' })
@ApiConflictResponse({
  type: PostErrorResponse,
  description: '`post_changed`, `slug_taken`, `unsaved_changes`, `post_trashed`, `post_not_trashed` or `image_gone`',
})
@ApiUnprocessableEntityResponse({ type: PostErrorResponse, description: '`invalid_post` or `invalid_schedule`' })
@Controller('api/admin/posts')
export class AdminPostsController {
  constructor(
    private readonly posts: PostListService,
    private readonly editing: EditingService,
    private readonly copies: WorkingCopiesService,
    private readonly duplication: DuplicationService,
    private readonly publishing: PublishingService,
    private readonly trash: TrashService,
    private readonly bulk: BulkService,
    private readonly scheduling: SchedulingService,
    private readonly previews: PreviewsService,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A part of all posts; without a state, all but the trash' })
  @ApiQuery({ name: 'state', required: false, enum: postStates })
  @ApiQuery({ name: 'q', required: false, description: SEARCH_DESCRIPTION })
  @ApiQuery({ name: 'category', required: false })
  @ApiQuery({ name: 'tag', required: false })
  @ApiQuery({ name: 'sort', required: false, enum: postSorts, description: 'created' })
  @ApiQuery({ name: 'direction', required: false, enum: ['asc', 'desc'] })
  @ApiQuery({ name: 'cursor', required: false })
  @ApiQuery({ name: 'limit', required: false, type: Number, description: '1 to 200; 50' })
  @ApiOkResponse({ type: AdminPostPageResponse })
  list(@Acting() actor: Actor, @Query() query: object): Promise<AdminPostPage> {
    return this.posts.list(actor, query);
  }

  @Get('facets')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What the list can be narrowed to' })
  @ApiOkResponse({ type: AdminPostFacetsResponse })
  listFacets(@Acting() actor: Actor): Promise<AdminPostFacets> {
    return this.posts.listFacets(actor);
  }

  @Post('bulk')
  @HttpCode(200)
  @ApiOperation({ summary: 'One change of many posts, each by itself' })
  @ApiBody({ type: BulkRequest })
  @ApiOkResponse({ type: BulkResultResponse })
  changeMany(@Acting() actor: Actor, @Body() body: object): Promise<BulkResult> {
    return this.bulk.apply(actor, body);
  }

  @Post()
  @ApiOperation({ summary: 'Create a post' })
  @ApiBody({ type: CreatePostRequest })
  @ApiCreatedResponse({ type: AdminPostResponse })
  create(@Acting() actor: Actor, @Body() body: object): Promise<AdminPost> {
    return this.editing.create(actor, body);
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A post as the editor needs it' })
  @ApiOkResponse({ type: AdminPostResponse })
  find(@Acting() actor: Actor, @PostId() id: string): Promise<AdminPost> {
    return this.editing.find(actor, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Save a post; publishes it or takes it back when `is_published` says so' })
  @ApiBody({ type: SavePostRequest })
  @ApiOkResponse({ type: AdminPostResponse })
  save(@Acting() actor: Actor, @PostId() id: string, @Body() body: object): Promise<AdminPost> {
    return this.editing.save(actor, id, body);
  }

  @Put(':id/working-copy')
  @ApiOperation({ summary: 'Keep edits without saving them; a draft takes them when it could be saved so' })
  @ApiBody({ type: KeepWorkingCopyRequest })
  @ApiOkResponse({ type: AdminPostResponse })
  @ApiPayloadTooLargeResponse({ type: PostErrorResponse, description: '`request_too_large`' })
  keepWorkingCopy(@Acting() actor: Actor, @PostId() id: string, @Body() body: object): Promise<AdminPost> {
    return this.copies.keep(actor, id, body);
  }

  @Delete(':id/working-copy')
  @ApiOperation({ summary: 'Discard the edits that were kept' })
  @ApiQuery({ name: 'version', type: Number })
  @ApiOkResponse({ type: AdminPostResponse })
  discardWorkingCopy(@Acting() actor: Actor, @PostId() id: string, @Query() query: object): Promise<AdminPost> {
    return this.copies.discard(actor, id, versionOf(query));
  }

  @Put(':id/publication')
  @ApiOperation({ summary: 'Publish a post, or take it back' })
  @ApiBody({ type: PublicationRequest })
  @ApiOkResponse({ type: AdminPostListItemResponse })
  setPublication(@Acting() actor: Actor, @PostId() id: string, @Body() body: object): Promise<AdminPostListItem> {
    return this.publishing.setPublication(actor, id, body);
  }

  @Put(':id/schedule')
  @ApiOperation({ summary: 'Plan when a post is published, or take the plan back' })
  @ApiBody({ type: ScheduleRequest })
  @ApiOkResponse({ type: AdminPostResponse })
  schedule(@Acting() actor: Actor, @PostId() id: string, @Body() body: object): Promise<AdminPost> {
    return this.scheduling.schedule(actor, id, body);
  }

  @Post(':id/preview-links')
  @ApiOperation({ summary: 'A link at which the post can be read for seven days, by whoever has it' })
  @ApiCreatedResponse({ type: PreviewLinkResponse })
  createPreviewLink(@Acting() actor: Actor, @PostId() id: string): Promise<PreviewLink> {
    return this.previews.createLink(actor, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Put a post into the trash, from which it can be restored for 30 days' })
  @ApiQuery({ name: 'version', type: Number })
  @ApiOkResponse({ type: AdminPostListItemResponse })
  moveToTrash(@Acting() actor: Actor, @PostId() id: string, @Query() query: object): Promise<AdminPostListItem> {
    return this.trash.trash(actor, id, versionOf(query));
  }

  @Post(':id/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Take a post out of the trash, as a draft' })
  @ApiBody({ type: VersionRequest })
  @ApiOkResponse({ type: AdminPostResponse })
  restore(@Acting() actor: Actor, @PostId() id: string, @Body() body: object): Promise<AdminPost> {
    return this.trash.restore(actor, id, versionOf(body));
  }

  @Delete(':id/permanently')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a post of the trash for good' })
  @ApiQuery({ name: 'version', type: Number })
  @ApiNoContentResponse()
  deletePermanently(@Acting() actor: Actor, @PostId() id: string, @Query() query: object): Promise<void> {
    return this.trash.deletePermanently(actor, id, versionOf(query));
  }

  @Post(':id/duplicate')
  @ApiOperation({ summary: 'A draft with the same contents' })
  @ApiCreatedResponse({ type: AdminPostResponse })
  duplicate(@Acting() actor: Actor, @PostId() id: string): Promise<AdminPost> {
    return this.duplication.duplicate(actor, id);
  }
}
