import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type {
  AdminPost,
  AdminPostFacets,
  AdminPostListItem,
  AdminPostPage,
  BulkOutcome,
  BulkResult,
  PostForm,
  PostState,
  PreviewLink,
  WorkingCopy,
} from '../shared/contracts/admin-posts.js';
import { postStates } from '../shared/contracts/admin-post-inputs.js';
import { adminListFields, fieldNames, type FormTexts, type PostTexts } from '../shared/contracts/post-fields.js';
import { formFields, presentedFields } from './field-docs.js';
import { DisplayDateResponse, PictureResponse } from './post.responses.js';

const bulkOutcomes: BulkOutcome[] = ['done', 'unchanged', 'changed-meanwhile', 'unsaved-changes', 'invalid', 'gone'];
const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true } as const;

/** Documents {@link PostForm}. */
export class PostFormResponse extends formFields<FormTexts>(fieldNames()) implements PostForm {}

const ListedTexts = presentedFields<PostTexts<(typeof adminListFields)[number]>>(adminListFields);

/** Documents {@link AdminPostListItem}. */
export class AdminPostListItemResponse extends ListedTexts implements AdminPostListItem {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ description: 'every change names the version it started from' })
  readonly version: number;

  @ApiProperty({ enum: postStates })
  readonly state: PostState;

  @ApiProperty()
  readonly is_published: boolean;

  @ApiProperty()
  readonly published: DisplayDateResponse;

  @ApiProperty({ ...NULLABLE_TIME, description: 'null unless it is scheduled' })
  readonly scheduled_at: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'null unless it is in the trash' })
  readonly deleted_at: string | null;

  @ApiProperty({ description: 'whether a working copy waits to be saved or discarded' })
  readonly has_unsaved_changes: boolean;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ format: 'date-time' })
  readonly updated_at: string;
}

/** Documents {@link AdminPostPage}. */
export class AdminPostPageResponse implements AdminPostPage {
  @ApiProperty({ type: [AdminPostListItemResponse] })
  readonly items: readonly AdminPostListItemResponse[];

  @ApiProperty({ ...NULLABLE_TEXT, description: 'for `cursor` of the next request; null at the end' })
  readonly next_cursor: string | null;
}

class PostCountsResponse implements Record<PostState, number> {
  @ApiProperty()
  readonly draft: number;

  @ApiProperty()
  readonly scheduled: number;

  @ApiProperty()
  readonly published: number;

  @ApiProperty()
  readonly trashed: number;
}

/** Documents {@link AdminPostFacets}. */
export class AdminPostFacetsResponse implements AdminPostFacets {
  @ApiProperty({ type: [String] })
  readonly categories: readonly string[];

  @ApiProperty({ type: [String] })
  readonly tags: readonly string[];

  @ApiProperty()
  readonly counts: PostCountsResponse;
}

class WorkingCopyResponse implements WorkingCopy {
  @ApiProperty()
  readonly fields: PostFormResponse;

  @ApiPropertyOptional({
    ...NULLABLE_TIME,
    description: 'a date that was typed in the release before and not saved; a save that names no date drops it',
  })
  readonly unsaved_date?: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly kept_at: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'email address' })
  readonly kept_by: string | null;
}

/** Documents {@link AdminPost}. */
export class AdminPostResponse extends AdminPostListItemResponse implements AdminPost {
  @ApiProperty({ ...NULLABLE_TIME, description: 'as it was chosen; null leaves it to the first publication' })
  readonly published_date: string | null;

  @ApiProperty({ description: 'as saved last; all texts are empty when it never was' })
  readonly saved: PostFormResponse;

  @ApiProperty({ type: WorkingCopyResponse, nullable: true, description: 'null when everything is saved' })
  readonly working_copy: WorkingCopyResponse | null;

  @ApiProperty(NULLABLE_TIME)
  readonly first_published_at: string | null;

  @ApiProperty({ type: PictureResponse, nullable: true })
  readonly picture: PictureResponse | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'email address; null for an operator' })
  readonly saved_by: string | null;
}

/** Documents the body of an error. */
export class PostErrorResponse {
  @ApiProperty()
  readonly code: string;

  @ApiProperty()
  readonly message: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })
  readonly fields?: Readonly<Record<string, readonly string[]>>;

  @ApiPropertyOptional({ type: AdminPostResponse, description: 'with `post_changed`: how the post stands now' })
  readonly current?: AdminPostResponse;
}

class BulkOneResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: bulkOutcomes })
  readonly outcome: BulkOutcome;

  @ApiProperty({ type: AdminPostListItemResponse, nullable: true, description: 'as it is now' })
  readonly post: AdminPostListItemResponse | null;
}

/** Documents {@link BulkResult}. */
export class BulkResultResponse implements BulkResult {
  @ApiProperty({ type: [BulkOneResponse] })
  readonly results: readonly BulkOneResponse[];
}

/** Documents {@link PreviewLink}. */
export class PreviewLinkResponse implements PreviewLink {
  @ApiProperty({ format: 'uri' })
  readonly url: string;

  @ApiProperty({ format: 'date-time' })
  readonly expires_at: string;
}
