import type { SettingsView } from '../../src/shared/contracts/settings.js';

/** The words of the screens that edit settings. */
export const settingsMessages = {
  loading: 'Loading settings...',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the settings' },
  notSaved: 'Nothing was saved',
  notPublished: 'Nothing was published',
  notDiscarded: 'Nothing was discarded',
  notRestored: 'Nothing was brought back',
  noPreview: 'There is no preview',
  published: { title: 'Published', text: 'Every page shows it now.' },
  discarded: { title: 'Discarded', text: 'Everything is as it is published.' },
  previewReady: { title: 'The preview is ready' },
  restored: 'It waits as a draft. Publish it when it is right.',
  restoredSame: 'It is as what is published.',
  wrong: 'Some fields are not right. They say why.',
} as const;

/** Counts changes in words. */
export function countChanges(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

/** Says where the changes of a form are. */
export function describePlace(typed: number, waiting: number): string {
  if (typed > 0) return `${countChanges(typed)} not saved yet. This tab keeps what you typed.`;
  if (waiting > 0) return `Draft saved: ${countChanges(waiting)} ${waiting === 1 ? 'waits' : 'wait'} to be published.`;
  return 'Pages show what stands here.';
}

/** Names whoever changed the settings last. */
export function nameOfChanger({ changed_by: email, changed_by_kind: kind }: SettingsView): string {
  return email ?? nameOfKind(kind);
}

/** Names somebody of whom there is no address. */
export function nameOfKind(kind: SettingsView['changed_by_kind']): string {
  switch (kind) {
    case 'operator':
      return 'The setup or the command line';
    case 'system':
      return 'The variables of the server';
    default:
      return 'Somebody';
  }
}
