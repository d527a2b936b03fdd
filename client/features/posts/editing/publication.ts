import type { AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import { completePost } from './fields.js';
import type { SaveRequest, Saving } from './saving-state.js';

// Whether readers see a post, and its date, are decided by themselves (decisions 32 and 49): no text that is saved, kept
// or restored decides them.

/** The date that a writer typed: ISO 8601, or null to leave it to the first publication. */
export interface DateDecision {
  readonly to: string | null;
}

/** Somebody else, or the schedule, published or unpublished the post while it was open here. */
export interface Overtaking {
  readonly isPublished: boolean;
  /** Its own plan did, when the time came. */
  readonly isBySchedule: boolean;
  /** True when a save was asked for and waits until the writer has confirmed the notice. */
  readonly isAsked: boolean;
}

/** Returns true when readers will see the post once it is saved, as the switch stands. */
export function isToBePublished({ decision, server }: Pick<Saving, 'decision' | 'server'>): boolean {
  return decision ?? server?.is_published ?? false;
}

/** The date to show: as it was typed, otherwise that of the post. */
export function toShownDate({ date, server }: Pick<Saving, 'date' | 'server'>): string | null {
  return date ? date.to : (server?.published_date ?? null);
}

/** A date that nobody saved, of a working copy of the release before; null when there is none. */
export function offeredBy(server: AdminPost | null): DateDecision | null {
  const unsaved = server?.working_copy?.unsaved_date;
  return unsaved === undefined ? null : { to: unsaved };
}

/** The date that lies nowhere but here: typed and not saved, or of a copy that was put into the form. */
export function findUnsavedDate({
  date,
  offeredDate,
  server,
}: Pick<Saving, 'date' | 'offeredDate' | 'server'>): DateDecision | null {
  const found = date ?? offeredDate;
  return found !== null && found.to !== server?.working_copy?.unsaved_date ? found : null;
}

/** Takes a date that was typed, or one that was offered. */
export function chooseDate(state: Saving, to: string | null): Saving {
  const offeredDate = state.offeredDate?.to === to ? null : state.offeredDate;
  return settleDecision({ ...state, date: { to }, offeredDate });
}

/**
 * Forgets a decision that the post already follows. While a save that publishes or unpublishes is under way, nobody
 * knows what the post is when it ends: until then the decision stays.
 */
export function settleDecision(state: Saving): Saving {
  const { server, request, decision, date } = state;
  const isFollowed = decision === (server?.is_published ?? false) && (request?.publication ?? null) === null;
  const isDated = date?.to === (server?.published_date ?? null) && (request?.date ?? null) === null;
  return { ...state, decision: isFollowed ? null : decision, date: isDated ? null : date };
}

/** Goes on from another version with the same texts. */
export function takeOver(state: Saving, post: AdminPost): Saving {
  return { ...state, version: post.version, server: completePost(post, state.server) };
}

/** Goes on from a version that somebody else made: whether it is public stays as they decided, and is told. */
export function followPublication(state: Saving, post: AdminPost, now: number): Saving {
  const followed = takeOver(state, post);
  const { server, decision } = state;
  // Nobody changed it, or the same was decided here.
  if ([server?.is_published, decision].includes(post.is_published)) return followed;
  return overtake(followed, server, post, now);
}

/**
 * Takes what the server says after a save. When an answer was lost and asked for again, somebody may have published or
 * unpublished the post since.
 */
export function settleSaved(
  state: Saving,
  { publication, date: sent, kind }: SaveRequest,
  post: AdminPost,
  now: number,
): Saving {
  const { server, decision, date } = state;
  // What was sent is done; what was decided since then is not.
  const saved = {
    ...takeOver(state, post),
    decision: decision === publication ? null : decision,
    date: kind === 'save' && date?.to === sent?.to ? null : date,
  };
  const isAsWanted = post.is_published === (publication ?? server?.is_published ?? false);
  return isAsWanted ? saved : overtake(saved, server, post, now);
}

/**
 * Holds a save by hand back that readers would see, or not see, against what was on the screen: who asked for it is told
 * first.
 */
export function askFirst(state: Saving): Saving {
  if (!state.isSaveWanted || !state.overtaking) return state;
  return { ...state, isSaveWanted: false, overtaking: { ...state.overtaking, isAsked: true } };
}

function overtake(state: Saving, before: AdminPost | null, post: AdminPost, now: number): Saving {
  const { is_published: isPublished } = post;
  const isBySchedule = isPublished && wasDue(before?.scheduled_at ?? null, post, now);
  return { ...state, overtaking: { isPublished, isBySchedule, isAsked: false } };
}

/** The first publication has the very time of its plan; later ones are told by the clock here, which may be wrong. */
function wasDue(scheduledAt: string | null, post: AdminPost, now: number): boolean {
  return scheduledAt !== null && (post.first_published_at === scheduledAt || Date.parse(scheduledAt) <= now);
}
