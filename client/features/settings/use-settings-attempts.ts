import { useState } from 'react';
import type { SettingsView } from '../../../src/shared/contracts/settings.js';
import type { Outcome } from '../../components/outcome.js';
import { nameOfChanger, settingsMessages as messages } from '../../content/settings.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';
import { focusSetting, hasField } from './focus-setting.js';
import type { SettingsKind } from './settings-kind.js';
import type { SettingsForm } from './use-settings-form.js';

/** The answer 409: how the document stands now, and the values that both changed. */
interface Clash {
  readonly current: SettingsView;
  readonly names: readonly string[];
}

/**
 * Runs the actions of a screen that edits settings, one at a time, and says how each ended.
 * @param show takes over how the document stands now
 */
export function useSettingsAttempts(kind: SettingsKind, form: SettingsForm, show: (view: SettingsView) => void) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [clashes, setClashes] = useState<readonly string[]>([]);

  /** Returns true once it is done. */
  const run = async (failure: string, work: () => Promise<Outcome | null>): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    setOutcome(null);
    try {
      setOutcome(await work());
      return true;
    } catch (error) {
      tell(failure, error);
      return false;
    } finally {
      setIsBusy(false);
    }
  };

  const tell = (failure: string, error: unknown): void => {
    if (isAccessDenied(error)) return;
    if (error instanceof ApiError && error.code === 'settings_changed')
      return tellChanged(failure, error.body as Clash);
    const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
    form.tell(Object.fromEntries(fields.map(([name, [problem = '']]) => [name, problem])));
    const lines = fields.map(([name, [problem = '']]) => ({
      text: problem.includes(kind.labelOf(name)) ? problem : `${kind.labelOf(name)}: ${problem}`,
      leadsTo: hasField(name) || !kind.screenOf ? () => focusSetting(name) : kind.screenOf(name),
    }));
    focusSetting(...fields.map(([name]) => name));
    const text = fields.length > 0 ? messages.wrong : describeError(error);
    setOutcome({ kind: 'error', title: failure, text, ...(lines.length > 0 ? { lines } : {}) });
  };

  const tellChanged = (failure: string, { current, names }: Clash): void => {
    show(current);
    setClashes(names);
    const who = nameOfChanger(current);
    const text =
      names.length > 0
        ? `${who} changed the same. Choose below what is right, and save again.`
        : `${who} changed the draft meanwhile. Look at what will change now, and try again.`;
    setOutcome({ kind: 'error', title: failure, text });
  };

  return { run, outcome, isBusy, clashes, setClashes, dismiss: () => setOutcome(null) };
}
