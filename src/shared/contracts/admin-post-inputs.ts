import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { PostState, StoredPostForm } from './admin-posts.js';
import { Documented } from './documented.js';
import { classOfFields } from './field-class.js';
import { optionalFormField } from './field-schemas.js';
import { MayBeLeftOut } from './may-be-left-out.js';
import { fieldNames, type FormTexts } from './post-fields.js';
import { IsMoment, IsPublishedDate, PostInput } from './post-input.js';

/** Posts that one bulk change takes. */
export const BULK_MAX = 500;

/** Orders of the administrators' list. */
export const postSorts = ['created', 'updated', 'published', 'title'] as const;

/** States that the list can be narrowed to. */
export const postStates = ['draft', 'scheduled', 'published', 'trashed'] as const satisfies readonly PostState[];

/** Actions of a bulk change. */
export const bulkActions = ['publish', 'unpublish', 'trash', 'restore'] as const;

const VERSION = { message: 'The version is missing' };
const SAVE_ID = { message: 'save_id is not a UUID' };

/** A new post. */
export class CreatePostInput extends PostInput {
  /** Made up by the writer, so that creating twice creates once. */
  @MayBeLeftOut()
  @IsUUID(undefined, { message: 'id is not a UUID' })
  id?: string;

  /** Names this attempt to save: when its answer was lost it can be made again, and is no conflict with itself. */
  @MayBeLeftOut()
  @IsUUID(undefined, SAVE_ID)
  save_id?: string;
}

/** A post as it is saved over an earlier version. */
export class SavePostInput extends PostInput {
  /** The version that the writer started from; 0 for a post that is not there yet. */
  @IsInt(VERSION)
  @Min(0, VERSION)
  version: number;

  /** Names this attempt to save: when its answer was lost it can be made again, and is no conflict with itself. */
  @MayBeLeftOut()
  @IsUUID(undefined, SAVE_ID)
  save_id?: string;

  /** The revision that the fields were taken from. */
  @MayBeLeftOut()
  @IsString({ message: 'restored_from is not the id of a revision' })
  @MaxLength(20, { message: 'restored_from is not the id of a revision' })
  restored_from?: string;
}

const TypedTexts = classOfFields<Partial<FormTexts>>(fieldNames(), (spec) => [
  ...optionalFormField(spec),
  ValidateIf((_form, value) => value !== undefined && !(spec.isEmptyMeaningful && value === null)),
  IsString(),
]);

/**
 * The fields of {@link StoredPostForm} by type alone: half a post can be kept too. One that is absent stays as it is, so
 * that an editor of the release before, which does not know it, does not empty it.
 */
export class PostFormInput extends TypedTexts implements StoredPostForm {
  /** The date that a tab of the release before keeps beside the text. It is noted as not saved, and dates nothing. */
  @IsOptional()
  @IsString()
  @Documented({ format: 'date-time' })
  published_date?: string | null;
}

/** Edits to keep without saving them: texts alone, as keeping them publishes and unpublishes nothing. */
export class KeepWorkingCopyInput {
  /** The version that the writer started from; 0 for a post that is not there yet. */
  @IsInt(VERSION)
  @Min(0, VERSION)
  version: number;

  /** Names this attempt to keep the edits: when its answer was lost it can be made again. */
  @MayBeLeftOut()
  @IsUUID(undefined, SAVE_ID)
  save_id?: string;

  /** Fields that are absent stay as they are. */
  @IsObject({ message: 'The fields are missing' })
  @ValidateNested({ message: 'The fields are missing' })
  @Type(() => PostFormInput)
  fields: PostFormInput;
}

/** Names the version that a change starts from. */
export class VersionInput {
  /** The version that the change starts from. */
  @Type(() => Number)
  @IsInt(VERSION)
  @Min(1, VERSION)
  version: number;
}

/** Gives a post to somebody. */
export class GivePostInput {
  /** The account of an administrator or an author; null for nobody. */
  @ValidateIf((_, value) => value !== null)
  @IsUUID('all', { message: 'user_id is the id of an account, or null' })
  @Documented({ format: 'uuid' })
  user_id: string | null;
}

/** Publishes or unpublishes a post, and dates it. */
export class PublicationInput extends VersionInput {
  @IsBoolean({ message: 'Published must be yes or no' })
  is_published: boolean;

  /** The date shown to readers, ISO 8601 with an offset; null leaves it to the first publication, absent leaves it as it is. */
  @IsOptional()
  @IsPublishedDate()
  @Documented({ format: 'date-time' })
  published_date?: string | null;
}

/** How a post was before the decision that is taken back. The version is the one that the decision left. */
export class PublicationUndoInput extends VersionInput {
  @IsBoolean({ message: 'Published must be yes or no' })
  was_published: boolean;

  /** The plan that the decision dropped, ISO 8601; none for a post that was published. */
  @IsOptional()
  @IsMoment('The time')
  @Documented({ format: 'date-time' })
  publish_at?: string | null;
}

/** When a post is to be published. */
export class ScheduleInput extends VersionInput {
  /** ISO 8601 with an offset; null for not at all. */
  @ValidateIf((_input, value) => value !== null)
  @IsMoment('The time')
  @Documented({ format: 'date-time' })
  publish_at: string | null;

  /** The date shown to readers, ISO 8601 with an offset; null leaves it to the first publication, absent leaves it as it is. */
  @IsOptional()
  @IsPublishedDate()
  @Documented({ format: 'date-time' })
  published_date?: string | null;
}

class BulkPostInput {
  @IsUUID(undefined, { message: 'id is not a UUID' })
  id: string;

  /** The version that the change starts from. */
  @IsInt(VERSION)
  @Min(1, VERSION)
  version: number;

  /** With `is_undo`: the plan that the post had, ISO 8601. */
  @IsOptional()
  @IsMoment('The time')
  @Documented({ format: 'date-time' })
  publish_at?: string | null;
}

/** One change of many posts. */
export class BulkInput {
  @IsIn(bulkActions, { message: `The action is one of ${bulkActions.join(', ')}` })
  action: (typeof bulkActions)[number];

  /** Takes back the opposite, which left the posts at these versions: publishes what readers had, plans what was planned. */
  @IsOptional()
  @IsBoolean({ message: 'is_undo must be yes or no' })
  is_undo?: boolean;

  @IsArray({ message: 'The posts are missing' })
  @ArrayMinSize(1, { message: 'The posts are missing' })
  @ArrayMaxSize(BULK_MAX, { message: `At most ${BULK_MAX} posts at once` })
  // A list in the place of a post would be checked as the posts that it has.
  @IsObject({ each: true, message: 'Each post has an id and a version' })
  @ValidateNested({ each: true, message: 'Each post has an id and a version' })
  @Type(() => BulkPostInput)
  @Documented({ maxItems: BULK_MAX })
  posts: BulkPostInput[];
}

/** Narrows the list of administrators; without a state to all but the trash. */
export class PostFilterQuery {
  @IsOptional()
  @IsIn(postStates, { message: `state is one of ${postStates.join(', ')}` })
  state?: PostState;

  /** Words, each of them somewhere in the post: in its texts, or in the title and the text of edits that wait. */
  @IsOptional()
  @IsString()
  @MaxLength(200, { message: 'The search is too long' })
  q?: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  category?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1000)
  tag?: string;
}

/** The part of the list of administrators that is wanted. */
export class PostListQuery extends PostFilterQuery {
  @IsIn(postSorts, { message: `sort is one of ${postSorts.join(', ')}` })
  @Documented({ type: 'string', required: false })
  sort: (typeof postSorts)[number] = 'created';

  @IsOptional()
  @IsIn(['asc', 'desc'], { message: 'direction is asc or desc' })
  direction?: 'asc' | 'desc';

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  cursor?: string;

  @Type(() => Number)
  @IsInt({ message: 'limit is a number from 1 to 200' })
  @Min(1, { message: 'limit is a number from 1 to 200' })
  @Max(200, { message: 'limit is a number from 1 to 200' })
  @Documented({ required: false })
  limit: number = 50;
}

/** The part of a post's kept versions that is wanted. */
export class RevisionQuery {
  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^[1-9]\d{0,17}$/, { message: 'The cursor is not valid' })
  cursor?: string;
}
