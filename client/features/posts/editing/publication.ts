import type { AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import type { SaveRequest, Saving } from './saving.js';

// Whether readers see a post is decided by itself (decision 32): no text that is saved, kept or restored decides it.

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

/**
 * Forgets a decision that the post already follows. While a save that publishes or unpublishes is under way, nobody
 * knows what the post is when it ends: until then the decision stays.
 */
export function settleDecision(state: Saving): Saving {
  const isUnderWay = state.request !== null && state.request.publication !== null;
  const isFollowed = state.decision === (state.server?.is_published ?? false);
  return isFollowed && !isUnderWay ? { ...state, decision: null } : state;
}

/** Goes on from another version with the same texts. */
export function takeOver(state: Saving, post: AdminPost): Saving {
  return { ...state, version: post.version, server: post };
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
export function settleSaved(state: Saving, { publication }: SaveRequest, post: AdminPost, now: number): Saving {
  const { server, decision } = state;
  // What was sent is done; what was decided since then is not.
  const saved = { ...takeOver(state, post), decision: decision === publication ? null : decision };
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
  const isBySchedule = isPublished && before?.scheduled_at != null && Date.parse(before.scheduled_at) <= now;
  return { ...state, overtaking: { isPublished, isBySchedule, isAsked: false } };
}
