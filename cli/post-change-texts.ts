import type {
  BatchChange,
  BatchOutcome,
  BatchPlan,
  PlannedChange,
  PostPlace,
  PostStanding,
} from '../src/posts/batch.service.js';
import { describeMoment } from '../src/shared/moments.js';
import { describeUnknownPost } from '../src/shared/unknown-post.js';
import { formatColumns } from './columns.js';
import { printable, printableLine } from './printable.js';

/** Posts that a preview names. */
const PREVIEW_MAX = 20;
const TITLE_MAX = 50;

/** The names of the changes. */
export const changeWords: Readonly<
  Record<BatchChange['kind'], { readonly verb: string; readonly done: string; readonly already: string }>
> = {
  publish: { verb: 'Publish', done: 'published', already: 'published already' },
  unpublish: { verb: 'Unpublish', done: 'unpublished', already: 'a draft already' },
  schedule: { verb: 'Schedule', done: 'scheduled', already: 'scheduled already' },
  trash: { verb: 'Delete', done: 'deleted', already: 'deleted already' },
  'delete-forever': { verb: 'Delete for good', done: 'deleted for good', already: 'deleted already' },
};

/** Why a post was left as it is, after its slug; null where it was not refused. */
export const refusalWords: Readonly<Record<BatchOutcome, string | null>> = {
  done: null,
  unchanged: null,
  'unsaved-changes': 'has changes that nobody saved or discarded',
  invalid: 'was never saved: it lacks something that a post must have',
  'changed-meanwhile': 'was changed in the meantime: run the command again',
  gone: 'is not there any more',
  published: 'is published already',
};

/** Says why a post that was named is none of those that a change is about. */
export function describeUnchosen(slug: string, { kind }: BatchChange, place: PostPlace | undefined): string {
  if (place === undefined) return describeUnknownPost(slug);
  const named = printableLine(slug);
  if (place === 'blog' && kind === 'delete-forever') return `${named} is not in the trash`;
  if (place === 'trash' && kind === 'trash') return `${named} is in the trash already`;
  if (place === 'trash' && kind !== 'delete-forever') return `${named} is in the trash: restore it first`;
  return `${named} is left: what else is said of the posts does not apply to it`;
}

/** How many posts would change, were so already, and cannot be changed. */
export function countPlan({ posts }: BatchPlan) {
  const count = (isCounted: (post: PlannedChange) => boolean) => posts.filter(isCounted).length;
  const done = count(({ outcome }) => outcome === 'done');
  const unchanged = count(({ outcome }) => outcome === 'unchanged');
  return { done, unchanged, refused: posts.length - done - unchanged };
}

/** Describes the effect of a change: the first posts that it changes or refuses, and totals. */
export function formatPlan(change: BatchChange, plan: BatchPlan, timeZone: string): string {
  const { done, unchanged, refused } = countPlan(plan);
  const { done: word, already } = changeWords[change.kind];
  const told = plan.posts.filter(({ outcome }) => outcome !== 'unchanged');
  const rows = told.slice(0, PREVIEW_MAX).map((post) => [post.slug, shorten(post.title), describe(post, timeZone)]);
  const more = told.length - rows.length;
  const sums = [
    `${done} to be ${word}`,
    ...(unchanged > 0 ? [`${unchanged} ${already}`] : []),
    ...(refused > 0 ? [`${refused} that cannot be`] : []),
  ];
  return `${formatColumns(rows)}${more > 0 ? `... and ${more} more\n` : ''}${sums.join(', ')}\n`;
}

/** Describes the state of a post. */
function formatStanding({ state, scheduledAt }: PostStanding, timeZone: string): string {
  switch (state) {
    case null:
      return 'gone for good';
    case 'scheduled':
      return scheduledAt === null ? 'planned' : `planned for ${describeMoment(scheduledAt, timeZone)}`;
    case 'trashed':
      return 'in the trash';
    case 'draft':
    case 'published':
      return state;
  }
}

function describe({ outcome, now, then }: PlannedChange, timeZone: string): string {
  const before = formatStanding(now, timeZone);
  const reason = refusalWords[outcome];
  return reason === null ? `${before} -> ${formatStanding(then, timeZone)}` : `stays ${before}: it ${reason}`;
}

function shorten(title: string): string {
  const characters = [...printable(title)];
  return characters.length > TITLE_MAX ? `${characters.slice(0, TITLE_MAX - 3).join('')}...` : characters.join('');
}
