import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BULK_MAX, bulkActions } from '../shared/contracts/admin-post-inputs.js';
import { fieldNames, type FormTexts } from '../shared/contracts/post-fields.js';
import type { PostInputTexts } from '../shared/contracts/post-input.js';
import { formFields, inputFields } from './field-docs.js';

// These document the bodies that the classes of shared/contracts check; the shared ones know no framework.

const DATE = {
  type: String,
  format: 'date-time',
  nullable: true,
  description: 'the date that readers see: null leaves it to the first publication, absent leaves it as it is',
} as const;
const VERSION = { description: 'the version that the change starts from' };

/** Documents `PostInput`. A field that is absent stays as it is; null empties it. */
class PostRequest extends inputFields<PostInputTexts>(fieldNames()) {
  @ApiPropertyOptional({ description: 'publishes or unpublishes the post; absent leaves it as it is' })
  readonly is_published?: boolean;

  @ApiPropertyOptional(DATE)
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

class PostFormRequest extends formFields<Partial<FormTexts>>(fieldNames(), { required: false }) {}

/** Documents `KeepWorkingCopyInput`. */
export class KeepWorkingCopyRequest {
  @ApiProperty({ description: 'the version that the writer started from; 0 for a post that is not there yet' })
  readonly version: number;

  @ApiPropertyOptional({ format: 'uuid' })
  readonly save_id?: string;

  @ApiProperty({ description: 'fields that are absent stay as they are' })
  readonly fields: PostFormRequest;
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

  @ApiPropertyOptional(DATE)
  readonly published_date?: string | null;
}

/** Documents `ScheduleInput`. */
export class ScheduleRequest extends VersionRequest {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null for not at all' })
  readonly publish_at: string | null;

  @ApiPropertyOptional(DATE)
  readonly published_date?: string | null;
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
