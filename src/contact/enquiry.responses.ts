import { ApiProperty } from '@nestjs/swagger';
import type { EnquiryDelivery } from './enquiry.entity.js';
import {
  ENQUIRY_STATES,
  type EnquiryPage,
  type EnquiryRecord,
  type EnquiryState,
} from '../shared/contracts/enquiries.js';
import { ENQUIRY_LIMITS } from '../shared/limits.js';

/** Documents the body of an enquiry; its rules are those of the contract's class. */
export class EnquiryBody {
  @ApiProperty({ maxLength: ENQUIRY_LIMITS.name })
  readonly name: string;

  @ApiProperty({ format: 'email' })
  readonly email: string;

  @ApiProperty({ maxLength: ENQUIRY_LIMITS.message })
  readonly message: string;
}

/** Documents the answer to an enquiry. */
export class AcceptedResponse {
  @ApiProperty({ enum: ['accepted'] })
  readonly status: 'accepted';
}

/** Documents {@link EnquiryRecord}. */
export class EnquiryResponse implements EnquiryRecord {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ format: 'email' })
  readonly email: string;

  @ApiProperty({ description: 'empty once it was redacted' })
  readonly message: string;

  @ApiProperty({ enum: ENQUIRY_STATES, description: '`handled` once ticked off, else how far its mail is' })
  readonly state: EnquiryState;

  @ApiProperty({ enum: ['waiting', 'failing', 'sent'], description: 'how far its mail is' })
  readonly delivery: EnquiryDelivery;

  @ApiProperty({ description: 'how often the mail was offered to the mail server' })
  readonly attempts: number;

  @ApiProperty({ type: String, nullable: true, description: 'why the last attempt failed' })
  readonly last_error: string | null;

  @ApiProperty()
  readonly message_id: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly sent_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly redacted_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly handled_at: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'the administrator who ticked it off' })
  readonly handled_by: string | null;
}

/** Documents {@link EnquiryPage}. */
export class EnquiryPageResponse implements EnquiryPage {
  @ApiProperty({ type: [EnquiryResponse] })
  readonly items: readonly EnquiryResponse[];

  @ApiProperty({ type: String, nullable: true, description: '`cursor` of the next request; null at the end' })
  readonly next_cursor: string | null;
}
