import type { PostPresence } from '../../../../src/shared/contracts/post-presence.js';
import type { Saving } from './saving-state.js';
import { toTime } from './saving-words.js';

/** The people who have the post open beside whoever writes here; empty when there are none. */
export function describeOthers({ others, is_open_elsewhere: isElsewhere }: PostPresence): string {
  const [first, ...rest] = others;
  if (first !== undefined) {
    const last = rest.pop();
    if (last === undefined) return `${first} has this post open, too.`;
    return `${[first, ...rest].join(', ')} and ${last} have this post open, too.`;
  }
  return isElsewhere ? 'You have this post open in another tab or on another device, too.' : '';
}

/**
 * The change that somebody made since the form was filled, with what it means for the form; empty when there is none,
 * or when it may be the form's own, which is under way.
 * @param timeZone of the site
 * @param self email address of whoever writes here
 */
export function describeChange(seen: PostPresence, state: Saving, self: string, timeZone: string): string {
  const { server, version, request, isInFlight, isTaskRunning, isSaveWanted, conflict } = state;
  if (seen.version <= version || request || isInFlight || isTaskRunning || isSaveWanted || conflict) return '';
  const time = toTime(seen.changed_at, timeZone);
  // That of another day begins with the day.
  const at = /^\d/.test(time) ? `at ${time}` : `on ${time}`;
  if (seen.is_trashed) return `This post is in the trash since ${time}.`;
  // No save of anybody, or the one that is known: a tag that was renamed, or a decision of whether it is public.
  if (seen.save_id === null || seen.save_id === server?.save_id)
    return `This post was changed ${at}, published or planned for example.`;
  const who = seen.written_by === self ? 'You' : (seen.written_by ?? 'Somebody else');
  const where = seen.written_by === self ? ' elsewhere' : '';
  if (!seen.is_kept) return `${who} saved this post${where} ${at}.`;
  return `${who} changed this post${where} ${at} and did not save it yet.`;
}
