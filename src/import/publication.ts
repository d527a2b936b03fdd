import type { ImportOptions, PostState } from '../shared/contracts/import-report.js';
import type { ImportedPost } from './imported-posts.service.js';
import { DRAFT_THERE, type SourcePost } from './source-post.js';

/** The publication of a post after the import, and the change that leads to it. */
export interface Publication {
  readonly state: PostState;
  /** When a planned post is published. */
  readonly publishAt?: Date;
  /** The change; empty when there is none. */
  readonly change: { readonly isPublished?: true; readonly scheduledAt?: Date | null };
  /** Notes for the report. */
  readonly notes: readonly string[];
}

/** The post on both sides. */
export interface BothSides {
  readonly post: SourcePost;
  /** Null for one that is created. */
  readonly target: ImportedPost | null;
  /** True when the source has changed since the last import, or the post is new. */
  readonly isChanged: boolean;
  readonly now: Date;
}

type Flags = Pick<ImportOptions, 'isPublishing' | 'isPublishingDrafts'>;

/** The publication for which source and options ask. */
type Wanted =
  | { readonly kind: 'published' | 'draft'; readonly note?: string }
  | { readonly kind: 'scheduled'; readonly at: Date };

/**
 * Decides whether readers see a post. An import publishes what is published there, and more only on demand; it
 * takes nothing from the public's eyes, and shows nothing again that was taken from them here.
 */
export function decidePublication(sides: BothSides, flags: Flags): Publication {
  const wanted = readWish(sides, flags);
  const { target } = sides;
  if (target === null) return apply(wanted);
  if (target.deletedAt) return { state: 'trash', change: {}, notes: [] };
  if (target.isPublished) return stayPublished(sides);
  if (target.scheduledAt) return settlePlanned(wanted, target, target.scheduledAt, sides, flags);
  const takenBack = whyTakenBack(target);
  if (takenBack !== null && flags.isPublishingDrafts !== true) {
    return asDraft(
      wanted.kind === 'draft'
        ? notesOf(wanted)
        : [`is a draft here, as ${takenBack} since its import (posts publish shows it)`],
    );
  }
  return isAsked(sides, flags) ? apply(wanted) : asDraft(wanted.kind === 'draft' ? notesOf(wanted) : []);
}

/** Why readers of the old site do not see the post; undefined when they do, or will. */
export function whyWithheld({ withheld, isPublished, scheduledAt }: SourcePost): string | undefined {
  return withheld ?? (isPublished === false && scheduledAt === undefined ? DRAFT_THERE : undefined);
}

/**
 * Returns true when publication was asked for: a post that has not changed at the source is published only on request.
 */
function isAsked({ isChanged }: BothSides, { isPublishing, isPublishingDrafts }: Flags): boolean {
  return isChanged || isPublishing === true || isPublishingDrafts === true;
}

function whyTakenBack({ firstPublishedAt, isPlanTakenBack }: ImportedPost): string | null {
  if (firstPublishedAt) return 'it was unpublished';
  return isPlanTakenBack ? 'its plan was taken back' : null;
}

function readWish({ post, now }: BothSides, { isPublishing, isPublishingDrafts }: Flags): Wanted {
  const reason = whyWithheld(post);
  const isWanted = isPublishing === true || isPublishingDrafts === true;
  if (reason !== undefined) {
    if (isPublishingDrafts === true) return { kind: 'published', note: `${reason}; it is published here all the same` };
    return reason === DRAFT_THERE && !isWanted
      ? { kind: 'draft' }
      : { kind: 'draft', note: `${reason}: it is a draft here` };
  }
  if (post.scheduledAt !== undefined) {
    const isPlanned = isWanted || post.isExact === true;
    if (isPlanned) return post.scheduledAt > now ? { kind: 'scheduled', at: post.scheduledAt } : { kind: 'published' };
    const when = post.scheduledAt.toISOString();
    return { kind: 'draft', note: `is planned there for ${when}: it is a draft here (--publish plans it here too)` };
  }
  return { kind: post.isPublished === true || isWanted ? 'published' : 'draft' };
}

function apply(wanted: Wanted): Publication {
  switch (wanted.kind) {
    case 'published':
      return { state: 'published', change: { isPublished: true }, notes: notesOf(wanted) };
    case 'scheduled':
      return { state: 'scheduled', publishAt: wanted.at, change: { scheduledAt: wanted.at }, notes: [] };
    case 'draft':
      return asDraft(notesOf(wanted));
  }
}

function stayPublished({ post, isChanged }: BothSides): Publication {
  const reason = post.isExact === true ? undefined : whyWithheld(post);
  const isWorthSaying = reason !== undefined && (isChanged || reason !== DRAFT_THERE);
  const notes = isWorthSaying ? [`${reason}, but everybody can read it here: an import unpublishes nothing`] : [];
  return { state: 'published', change: {}, notes };
}

/** A plan that an import made follows the source: what became private there must not be published here by itself. */
function settlePlanned(wanted: Wanted, target: ImportedPost, plan: Date, sides: BothSides, flags: Flags): Publication {
  const { post, isChanged, now } = sides;
  const reason = whyWithheld(post);
  if (wanted.kind === 'published' && reason === undefined && isAsked(sides, flags)) return apply(wanted);
  const kept: Publication = { state: 'scheduled', publishAt: plan, change: {}, notes: [] };
  const there = post.scheduledAt !== undefined && post.scheduledAt > now ? post.scheduledAt : undefined;
  if (!isChanged || (reason === undefined && (there === undefined || there.getTime() === plan.getTime()))) return kept;
  const here = `planned here for ${plan.toISOString()}`;
  const elsewhere = there === undefined ? reason : `is planned there for ${there.toISOString()}`;
  // An import plans a post for the date that it has.
  if (target.publishedDate.getTime() !== plan.getTime()) return { ...kept, notes: [`${elsewhere}, and stays ${here}`] };
  const notes = [`${elsewhere}; it was ${here}`];
  if (there !== undefined) return { state: 'scheduled', publishAt: there, change: { scheduledAt: there }, notes };
  return { state: 'draft', change: { scheduledAt: null }, notes };
}

function asDraft(notes: readonly string[]): Publication {
  return { state: 'draft', change: {}, notes };
}

function notesOf(wanted: Wanted): string[] {
  return wanted.kind === 'scheduled' || wanted.note === undefined ? [] : [wanted.note];
}
