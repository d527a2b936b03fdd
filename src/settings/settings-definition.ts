import type { EntityManager } from '@mikro-orm/postgresql';
import type { SettingSource } from '../shared/contracts/settings.js';
import type { SiteMoment } from '../site/site.service.js';
import type { SettingsContent } from './settings-document.entity.js';

/** The values of a document where some content is published. */
export interface SettingsReading {
  /** All values that this release knows, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** Names of values that nobody has said, and that are a change once somebody says them, also as they are. */
  readonly unconfirmed?: readonly string[];
}

/**
 * Everything that differs between documents. Drafts, versions, conflicts, the activity and the preview are the same for
 * all of them (`settings.service.ts`).
 */
export interface SettingsDefinition {
  /** In addresses and in the database. */
  readonly name: string;
  /** Its name in the activity, such as 'the company'. */
  readonly subject: string;
  /** Reads a content, leaving aside what this release cannot use. */
  read(content: unknown): SettingsReading;
  /**
   * Returns the clean form of values that are handed in.
   * @throws SettingsRefusedError naming everything that is wrong
   */
  check(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Looks for what checked values refer to, and keeps it there until the transaction of `em` ends, which stores them.
   * @throws SettingsRefusedError naming every value that refers to nothing
   */
  hold?(em: EntityManager, values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns a content with checked values in it, as it is stored. */
  apply(content: SettingsContent, values: Readonly<Record<string, unknown>>): SettingsContent;
  /**
   * Looks at a content as a whole, before it is published.
   * @throws SettingsRefusedError for values that do not fit together
   */
  checkWhole?(content: SettingsContent): void;
  /** Names in a content that are no values: the definition keeps them beside. */
  readonly notes?: readonly string[];
  /** Returns the site as pages show it where this content is published. */
  toMoment(content: SettingsContent): SiteMoment;
}

/** Dependency-injection token of every {@link SettingsDefinition}: a new document is added to this list. */
export const SETTINGS_DEFINITIONS = Symbol('SettingsDefinitions');
