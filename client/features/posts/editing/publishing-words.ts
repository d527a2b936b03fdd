import { isSameForm } from './fields.js';
import { isToBePublished } from './publication.js';
import type { Saving } from './saving-state.js';
import { describeMoment } from './zoned-time.js';

type Described = Pick<Saving, 'server' | 'fields' | 'decision' | 'date'>;

/** Says what readers have of the post now. */
export function describePublicState({ server }: Pick<Saving, 'server'>, timeZone: string): string {
  if (server === null || server.saved.title === '') return 'Not saved yet';
  if (server.state === 'trashed') return 'In the trash';
  if (server.is_published) {
    const since = server.live_since;
    return since === null ? 'Live' : `Live since ${describeMoment(since, timeZone)}`;
  }
  if (server.scheduled_at !== null) return `Scheduled for ${describeMoment(server.scheduled_at, timeZone)}`;
  return 'Draft: readers do not see it';
}

/** Returns true when readers have, or are to get, another text than the one in the form. */
export function hasWaitingChanges({ server, fields, date }: Described): boolean {
  if (server === null || !(server.is_published || server.scheduled_at !== null)) return false;
  return !isSameForm(server.saved, fields) || date !== null;
}

/** Says what 'Save Post' does for readers, as form and switch stand. */
export function describeSaveForReaders(state: Described): string {
  const { server, fields } = state;
  const isLive = server?.is_published ?? false;
  if (isLive && !isToBePublished(state))
    return 'Saving takes the post off the site: readers find nothing at its address. The list offers to undo that for 10 seconds.';
  if (isLive)
    return hasWaitingChanges(state)
      ? 'Changes not live yet: saving shows them to readers.'
      : 'Readers see it as it is here.';
  if (isToBePublished(state)) return `Saving publishes the post at /blogs/${fields.slug.trim() || '…'}.`;
  if (server?.scheduled_at != null)
    return hasWaitingChanges(state)
      ? 'Changes not in what goes live yet: saving takes them in.'
      : 'It goes live as it is here.';
  return 'Saving keeps it a draft.';
}

/**
 * Returns true when 'Save Post' is for whoever writes. What readers have, or are to get, changes by those who may
 * publish; edits of others are kept beside it.
 */
export function canSave({ server }: Pick<Saving, 'server'>, mayPublish: boolean): boolean {
  return mayPublish || server === null || !(server.is_published || server.scheduled_at !== null);
}

/** Says who publishes, to an author who does not. */
export function describeForAuthor(state: Described): string {
  if (canSave(state, false)) return 'An administrator publishes it. Saving keeps it a draft.';
  if (hasWaitingChanges(state)) return 'Your changes are kept. An administrator looks at them and takes them in.';
  return state.server?.is_published
    ? 'You can go on writing: changes wait until an administrator takes them in.'
    : 'Planned by somebody who may publish. Changes wait until an administrator takes them in.';
}
