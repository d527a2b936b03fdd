import { formatDay } from '../../../lib/format-moment.js';
import { isDirty, type Saving } from './saving-state.js';

/** Location of an editor's text, in one word for programs. */
export type Place =
  | 'nothing'
  | 'saved'
  | 'unsaved'
  | 'keeping'
  | 'kept'
  | 'switch-moved'
  | 'date-typed'
  | 'saving'
  | 'offline'
  | 'session-expired'
  | 'conflict'
  | 'outdated'
  | 'failed';

/** Location of an editor's text. */
export interface WhereTextIs {
  readonly place: Place;
  /** First sentence of the save bar. */
  readonly headline: string;
  /** Further words of the save bar; may be empty. */
  readonly detail: string;
}

type Described = Saving & { readonly isCopied?: boolean; readonly timeZone: string };

/** Places at which something has to be done, or has gone wrong: going there or coming back is worth being said aloud. */
const TROUBLED: readonly Place[] = ['offline', 'session-expired', 'conflict', 'outdated', 'failed'];

/**
 * A time of day like 14:02, in the site's time zone as all times of the admin area; of another day than today's like
 * 'Nov 6, 14:02', of another year's like 'Nov 6, 2024, 14:02'.
 */
export function toTime(iso: string, timeZone: string): string {
  const time = new Date(iso).toLocaleTimeString('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const day = formatDay(iso, timeZone);
  const today = formatDay(new Date().toISOString(), timeZone);
  if (day === today) return time;
  const year = today.slice(today.lastIndexOf(','));
  return `${day.endsWith(year) ? day.slice(0, -year.length) : day}, ${time}`;
}

/** Returns true when changes wait on the server for 'Save Post'. */
export function hasWorkingCopy({ server }: Saving): boolean {
  return server !== null && server.working_copy !== null;
}

/** Returns true when the switch of an existing post was moved and waits for 'Save Post'; it is stored nowhere else. */
export function hasUnsavedDecision({ server, decision }: Saving): boolean {
  return server !== null && decision !== null;
}

/** Returns true when a date was typed and waits for 'Save Post'; a copy on this device notes it. */
export function hasUnsavedDate({ date }: Saving): boolean {
  return date !== null;
}

/** Returns true when leaving now would leave something unsaved behind, on the server or only here. */
export function hasUnsavedChanges(state: Saving): boolean {
  const hasDecided = hasUnsavedDecision(state) || hasUnsavedDate(state);
  return isDirty(state) || hasWorkingCopy(state) || hasDecided || state.request !== null;
}

function findPlace(state: Saving): Place {
  const { conflict, trouble, isInFlight, request, isOnline, server } = state;
  if (conflict) return 'conflict';
  if (trouble && trouble.kind !== 'offline') return trouble.kind;
  const isWaiting = isDirty(state) || request !== null;
  if (isWaiting && (trouble || !isOnline)) return 'offline';
  if (isInFlight || state.isSaveWanted) return request?.kind === 'keep' ? 'keeping' : 'saving';
  if (isDirty(state)) return 'unsaved';
  if (server && hasWorkingCopy(state)) return 'kept';
  if (hasUnsavedDecision(state)) return 'switch-moved';
  if (hasUnsavedDate(state)) return 'date-typed';
  return server ? 'saved' : 'nothing';
}

/** Describes the state of saving for the save bar. */
export function describeSaving(state: Described): WhereTextIs {
  const place = findPlace(state);
  return { place, ...describe(place, state) };
}

function describe(place: Place, state: Described): Omit<WhereTextIs, 'place'> {
  const here = state.isCopied === false ? 'this device has no room for a copy' : 'kept on this device';
  const isCopied = state.isCopied !== false;
  switch (place) {
    case 'nothing':
      return { headline: 'New post', detail: 'nothing to save yet' };
    case 'saved':
      return describeSaved(state);
    case 'unsaved':
      return { headline: 'Unsaved changes', detail: here };
    case 'keeping':
    case 'saving':
      return { headline: 'Saving…', detail: '' };
    case 'kept':
      return describeKept(state);
    case 'switch-moved':
      return { headline: 'Not saved yet', detail: 'the switch counts once you save' };
    case 'date-typed':
      return { headline: 'Not saved yet', detail: 'the date counts once you save' };
    case 'offline':
      return {
        headline: isCopied ? 'Offline – kept on this device' : 'Offline – not kept anywhere',
        detail: isCopied ? 'sent as soon as the server can be reached' : here,
      };
    case 'session-expired':
      return { headline: 'Session expired', detail: `${here}; enter your password to go on` };
    case 'conflict':
      return { headline: 'Conflict', detail: `somebody else changed this post; yours is ${here}` };
    case 'outdated':
      return {
        headline: 'Not saved',
        detail: `a server of another version did not take all of it; ${here}, sent again until one does`,
      };
    case 'failed': {
      const { trouble } = state;
      const message = trouble?.kind === 'failed' ? trouble.message : '';
      return { headline: 'Not saved', detail: `${message.replace(/\.$/, '')}; ${here}` };
    }
  }
}

function describeSaved({ server, timeZone }: Described): Omit<WhereTextIs, 'place'> {
  const time = server ? toTime(server.updated_at, timeZone) : '';
  if (server?.is_published) return { headline: `Saved ${time}`, detail: 'live' };
  if (server?.scheduled_at != null) return { headline: `Saved ${time}`, detail: 'scheduled' };
  return { headline: `Saved as a draft ${time}`, detail: '' };
}

/**
 * Changes wait on the server, beside what readers have, had or are to get, or because the draft cannot be saved yet.
 */
function describeKept({ server, timeZone }: Described): Omit<WhereTextIs, 'place'> {
  const time = server ? toTime(server.working_copy?.kept_at ?? server.updated_at, timeZone) : '';
  const isDraft = !server?.is_published && server?.scheduled_at == null;
  return isDraft
    ? {
        headline: `Draft kept ${time}`,
        detail: server?.first_published_at == null ? 'not complete yet' : 'not saved yet',
      }
    : { headline: 'Changes not live yet', detail: `kept ${time}` };
}

/**
 * Returns the announcement for screen readers after the text has moved; null when it is not worth an interruption.
 * Autosaves happen every few seconds: they are shown, not said.
 */
export function toAnnouncement(before: WhereTextIs, now: WhereTextIs): string | null {
  if (before.place === now.place) return null;
  const isTroubled = TROUBLED.includes(now.place);
  const wasTroubled = TROUBLED.includes(before.place);
  const isSettled = now.place === 'saved' || now.place === 'kept';
  if (isTroubled || (wasTroubled && isSettled) || (before.place === 'saving' && isSettled))
    return now.detail ? `${now.headline}, ${now.detail}` : now.headline;
  return null;
}
