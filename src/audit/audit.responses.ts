import { ApiProperty } from '@nestjs/swagger';
import type { AuditEntry, AuditPage } from '../shared/contracts/admin-posts.js';

/** Documents {@link AuditEntry}. */
export class AuditEntryResponse implements AuditEntry {
  @ApiProperty()
  readonly id: string;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ type: String, nullable: true, description: 'email address at the time' })
  readonly actor: string | null;

  @ApiProperty({ enum: ['user', 'operator', 'system'] })
  readonly actor_kind: AuditEntry['actor_kind'];

  @ApiProperty({ example: 'post.published' })
  readonly action: string;

  @ApiProperty({ example: 'post' })
  readonly subject_type: string;

  @ApiProperty()
  readonly subject_id: string;

  @ApiProperty({ description: 'what people call it' })
  readonly subject: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly details: AuditEntry['details'];
}

/** Documents {@link AuditPage}. */
export class AuditPageResponse implements AuditPage {
  @ApiProperty({ type: [AuditEntryResponse] })
  readonly items: readonly AuditEntryResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'for `cursor` of the next request; null at the end' })
  readonly next_cursor: string | null;
}
