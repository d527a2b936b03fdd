import { ConflictException, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import type { SettingsView } from '../shared/contracts/settings.js';

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

/** There is no document of that name. */
export class SettingsNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'settings_not_found', message: 'There are no such settings.' });
  }
}

/** The version is none of those that are kept. */
export class SettingsVersionNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'settings_version_not_found', message: 'This version is not kept any more.' });
  }
}

/** {@link SettingsRefusedError} as the API answers it: every message by the name of its value. */
export class InvalidSettingsException extends UnprocessableEntityException {
  constructor(problems: readonly SettingProblem[]) {
    super({
      code: 'invalid_settings',
      message: problems.map(({ message }) => message)[0] ?? 'A setting is not valid',
      fields: Object.fromEntries(problems.map(({ path, message }) => [path, [message]])),
    });
  }
}

/** Somebody else changed the document since. Nothing was written. */
export class SettingsChangedException extends ConflictException {
  /**
   * @param current how it stands now
   * @param names the values that both changed; none where the state as a whole counts
   */
  constructor(current: SettingsView, names: readonly string[] = []) {
    super({
      code: 'settings_changed',
      message: 'The settings were changed in the meantime.',
      current,
      names,
    });
  }
}
