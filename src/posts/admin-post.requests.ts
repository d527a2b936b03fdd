import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BULK_MAX, bulkActions } from '../shared/contracts/admin-post-inputs.js';
import { POST_LIMITS } from '../shared/limits.js';
import { PostFormResponse } from './admin-post.responses.js';

// These document the bodies that the classes of shared/contracts check; the shared ones know no framework.

const VERSION = { description: 'the version that the change starts from' };

/** Documents `PostInput`. */
class PostRequest {
  @ApiProperty({ maxLength: POST_LIMITS.title })
  readonly title: string;

  @ApiProperty({ maxLength: POST_LIMITS.slug })
  readonly slug: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: POST_LIMITS.excerpt })
  readonly excerpt?: string | null;

  @ApiProperty({ description: 'HTML; it is sanitised' })
  readonly content: string;

  @ApiProperty({ maxLength: POST_LIMITS.author })
  readonly author: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: POST_LIMITS.category })
  readonly category?: string | null;

  @ApiPropertyOptional({
    oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    nullable: true,
    description: 'a list, or separated by commas',
  })
  readonly tags?: string | readonly string[] | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  readonly image_url?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: POST_LIMITS.imageAlt })
  readonly image_alt?: string | null;

  @ApiPropertyOptional({ description: 'publishes or unpublishes the post; absent leaves it as it is' })
  readonly is_published?: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null leaves it to the first publication, absent leaves it as it is',
  })
  readonly published_date?: string | null;

  @ApiPropertyOptional({ format: 'uuid', description: 'the same again is no conflict with itself' })
  readonly save_id?: string;
}

/** Documents `CreatePostInput`. */
export class CreatePostRequest extends PostRequest {
  @ApiPropertyOptional({ format: 'uuid' })
  readonly id?: string;
}

/** Documents `SavePostInput`. */
export class SavePostRequest extends PostRequest {
  @ApiProperty({ description: 'the version that the writer started from; 0 for a post that is not there yet' })
  readonly version: number;

  @ApiPropertyOptional({ description: 'the revision that the fields were taken from' })
  readonly restored_from?: string;
}

/** Documents `KeepWorkingCopyInput`. */
export class KeepWorkingCopyRequest {
  @ApiProperty({ description: 'the version that the writer started from; 0 for a post that is not there yet' })
  readonly version: number;

  @ApiPropertyOptional({ format: 'uuid' })
  readonly save_id?: string;

  @ApiProperty()
  readonly fields: PostFormResponse;
}

/** Documents `VersionInput`. */
export class VersionRequest {
  @ApiProperty(VERSION)
  readonly version: number;
}

/** Documents `PublicationInput`. */
export class PublicationRequest extends VersionRequest {
  @ApiProperty()
  readonly is_published: boolean;
}

/** Documents `ScheduleInput`. */
export class ScheduleRequest extends VersionRequest {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null for not at all' })
  readonly publish_at: string | null;
}

class BulkPostRequest extends VersionRequest {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;
}

/** Documents `BulkInput`. */
export class BulkRequest {
  @ApiProperty({ enum: bulkActions })
  readonly action: string;

  @ApiProperty({ type: [BulkPostRequest], minItems: 1, maxItems: BULK_MAX })
  readonly posts: readonly BulkPostRequest[];
}
