import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, Max, Min } from 'class-validator';
import type { AuditEntry } from './audit.js';
import { Documented } from './documented.js';
import { MayBeLeftOut } from './may-be-left-out.js';

/** The origin of a value: a locked one is as its variable says, whatever the setting says. */
export type SettingSource = 'setting' | 'locked' | 'variable' | 'fallback';

/** A document of settings, such as the facts of the company, as administrators edit it. */
export class SettingsView {
  /** Rises with every change of draft or published content: whoever changes it names the one they have seen. */
  readonly revision: number;

  /** The number of what is published among the versions; 0 where nobody has published anything. */
  readonly version: number;

  /** The values that pages show, by name. */
  readonly values: Readonly<Record<string, unknown>>;

  readonly sources: Readonly<Record<string, SettingSource>>;

  /** Names of values that are as they came, and that somebody can confirm by saying them as they are. */
  readonly unconfirmed: string[];

  /**
   * The values that wait for being published: those that differ from what pages show, or confirm what nobody has said;
   * null where none do.
   */
  readonly draft: Readonly<Record<string, unknown>> | null;

  /** The last change of draft or content; null where there was none. */
  @Documented({ format: 'date-time' })
  readonly changed_at: string | null;

  /** Email address; null for an operator or the system, and where the account is gone. */
  readonly changed_by: string | null;

  readonly changed_by_kind: AuditEntry['actor_kind'] | null;
}

/** A document after a version came back into its draft. */
export class RestoredSettings extends SettingsView {
  /** Names of values of that version that this release, or a lock, does not allow any more. */
  readonly left_aside: string[];
}

/** A content that was published. */
export class SettingsVersionItem {
  readonly version: number;

  @Documented({ format: 'date-time' })
  readonly published_at: string;

  /** Email address; null for an operator or the system, and where the account is gone. */
  readonly published_by: string | null;

  readonly published_by_kind: AuditEntry['actor_kind'];

  /** Names of the values that became others by it. */
  readonly changed: string[];
}

/** Some kept versions of a document, newest first. */
export class SettingsVersions {
  readonly items: SettingsVersionItem[];

  /** For `before` of the next request; null at the end. */
  readonly next_before: number | null;
}

/** The place where a draft can be seen. */
export class SettingsPreview {
  /** The address of the home page with the draft; those of other pages follow it. */
  readonly path: string;
}

const REVISION = { message: 'The revision is missing' };

/** Names the state of a document from which a change started. */
export class SettingsRevisionInput {
  @Type(() => Number)
  @IsInt(REVISION)
  @Min(0, REVISION)
  revision: number;
}

/** Values for the draft of a document. */
export class SettingsDraftInput extends SettingsRevisionInput {
  /** By name, those that were changed; absent ones stay as they are. */
  @IsObject({ message: 'The values are missing' })
  values: Record<string, unknown>;

  /**
   * The same names with the values that the change started from. With them, a change of other values that somebody made
   * meanwhile is kept beside this one.
   */
  @MayBeLeftOut()
  @IsObject({ message: 'seen must hold values by name' })
  seen?: Record<string, unknown>;
}

/** The part of a document's versions that is wanted. */
export class SettingsVersionsQuery {
  /** `next_before` of the part before. */
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'before is a number' })
  @Min(1, { message: 'before is a number' })
  @Max(2_000_000_000, { message: 'before is a number' })
  before?: number;
}
