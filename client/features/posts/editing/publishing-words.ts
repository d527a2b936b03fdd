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
  return 'Draft: only administrators see it';
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
