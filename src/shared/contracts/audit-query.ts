import { IsOptional, IsString, Matches } from 'class-validator';
import { OneText } from './one-text.js';

/** The lines of the audit log that are wanted. A parameter that is empty, or there twice, narrows nothing. */
export class AuditQuery {
  @OneText()
  @IsOptional()
  @IsString()
  subject_type?: string;

  @OneText()
  @IsOptional()
  @IsString()
  subject_id?: string;

  /** An email address as it was at the time, or `operator`, `program` or `system`. */
  @OneText()
  @IsOptional()
  @IsString()
  actor?: string;

  @OneText()
  @IsOptional()
  @IsString()
  action?: string;

  /** `next_cursor` of the page before. */
  @OneText()
  @IsOptional()
  @Matches(/^[1-9]\d{0,17}$/, { message: 'The cursor is not valid' })
  cursor?: string;
}
