/** One thing that is wrong with what was handed in. */
export interface SettingProblem {
  /** The place of it, such as `company.phone`. */
  readonly path: string;
  readonly message: string;
}

/** Thrown when a setting is not written because of what was handed in; nothing was changed. */
export class SettingsRefusedError extends Error {
  override readonly name = 'SettingsRefusedError';

  constructor(readonly problems: readonly SettingProblem[]) {
    super(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  }
}
