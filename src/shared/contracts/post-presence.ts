import { IsBoolean, IsOptional, IsUUID } from 'class-validator';
import { Documented } from './documented.js';

/** An editor says that it has a post open. */
export class PresenceInput {
  /** Made up by the page, which keeps it as long as it has this tab. */
  @IsUUID(undefined, { message: 'tab is not a UUID' })
  tab: string;

  /** True for a page behind others, which asks less often and is counted for longer. */
  @IsOptional()
  @IsBoolean({ message: 'is_hidden is neither true nor false' })
  is_hidden?: boolean;
}

/** The others who have a post open, and how the post stands now. */
export class PostPresence {
  /** Email addresses of the others, each once. */
  readonly others: string[];

  /** True when whoever asks has it open in another tab or on another device. */
  readonly is_open_elsewhere: boolean;

  readonly version: number;

  /** Names the last attempt to save or to keep a text; null when the text never came from an editor. */
  readonly save_id: string | null;

  readonly is_trashed: boolean;

  /** True when the newest text is kept beside the post, not saved. */
  readonly is_kept: boolean;

  /** Email address of whoever saved or kept the newest text; null for an operator, or when the account is gone. */
  readonly written_by: string | null;

  /** When the post or its text was changed last. */
  @Documented({ format: 'date-time' })
  readonly changed_at: string;
}
