import { ApiProperty } from '@nestjs/swagger';
import type { Revision, RevisionPage, RevisionReason, RevisionSummary } from '../shared/contracts/admin-posts.js';
import { PostFormResponse } from './admin-post.responses.js';

const reasons: RevisionReason[] = ['saved', 'autosaved', 'imported'];

/** Documents {@link RevisionSummary}. */
export class RevisionSummaryResponse implements RevisionSummary {
  @ApiProperty()
  readonly id: string;

  @ApiProperty({ description: 'the version that the post had then' })
  readonly version: number;

  @ApiProperty({ enum: reasons })
  readonly reason: RevisionReason;

  @ApiProperty()
  readonly title: string;

  @ApiProperty()
  readonly is_published: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'email address; null for an operator' })
  readonly author: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;
}

/** Documents {@link Revision}. */
export class RevisionResponse extends RevisionSummaryResponse implements Revision {
  @ApiProperty()
  readonly fields: PostFormResponse;
}

/** Documents {@link RevisionPage}. */
export class RevisionPageResponse implements RevisionPage {
  @ApiProperty({ type: [RevisionSummaryResponse] })
  readonly items: readonly RevisionSummaryResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'for `cursor` of the next request; null at the end' })
  readonly next_cursor: string | null;
}
