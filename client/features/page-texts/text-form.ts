import type { SettingSource } from '../../../src/shared/contracts/settings.js';

/** The part of the form of settings that the texts of pages need. */
export interface TextForm {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of values that differ from what pages show. */
  readonly changed: readonly string[];
  /** Problems by the place of the value, as the server named them. */
  readonly problems: Readonly<Record<string, string>>;
  sourceOf(name: string): SettingSource;
  set(name: string, value: unknown): void;
}
