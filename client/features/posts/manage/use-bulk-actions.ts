import { useState } from 'react';
import type { AdminPostListItem, BulkResult } from '../../../../src/shared/contracts/admin-posts.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import {
  bulkOutcomeWords,
  bulkWords,
  confirmDeleteMany,
  describeTrashed,
  postListMessages as messages,
  type BulkAction,
} from '../../../content/admin-posts.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';
import { titleOf } from './describe-refusal.js';
import type { Outcome } from '../../../components/outcome.js';
import { usePostCache } from './use-post-list.js';

/** Posts of one request. The API takes more; of these few it is soon known what became of them, and little is in doubt if it fails. */
const MAX_AT_ONCE = 25;

type BulkItem = BulkResult['results'][number];

function countPosts(count: number): string {
  return count === 1 ? '1 post' : `${count} posts`;
}

/**
 * How a change of many posts ended: how many were changed, and a line for each that was not.
 * @param failure why a request failed, after which no other one was made
 */
export function describeBulk(
  { action, posts, isUndo = false }: Pick<Change, 'action' | 'posts'> & Partial<Change>,
  results: readonly BulkItem[],
  failure?: string,
): Outcome {
  if (failure !== undefined && results.length === 0)
    return { kind: 'error', title: messages.bulkFailed, text: failure };
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const titles = new Map(posts.map((post) => [post.id, titleOf(post)]));
  const lines = results.flatMap(({ id, outcome }) => {
    const words = bulkOutcomeWords[outcome];
    return words === null ? [] : [`“${titles.get(id) ?? id}” ${words}.`];
  });
  // Out of the trash, posts come back as drafts, whatever they were.
  const title = `${countPosts(done)} ${isUndo && action !== 'restore' ? 'as before' : bulkWords[action].done}`;
  const sentences = [
    ...(lines.length > 0 ? [`${countPosts(lines.length)} left as they were`] : []),
    ...(failure === undefined ? [] : [`Stopped after ${results.length} of ${countPosts(posts.length)}`, failure]),
  ];
  return {
    kind: sentences.length > 0 ? 'error' : 'success',
    title,
    ...(sentences.length > 0 ? { text: sentences.join('. ') } : {}),
    lines,
    takesFocus: true,
  };
}

/** One change of several posts. To undo a publication, posts are as they were before, but for their versions. */
interface Change {
  readonly action: BulkAction;
  readonly posts: readonly AdminPostListItem[];
  readonly isUndo: boolean;
}

const opposites: Partial<Record<BulkAction, BulkAction>> = {
  publish: 'unpublish',
  unpublish: 'publish',
  trash: 'restore',
};

/** Returns the change that takes back what was done; null where nothing was, or where that is another decision. */
export function toUndo(
  action: BulkAction,
  posts: readonly AdminPostListItem[],
  results: readonly BulkItem[],
): Change | null {
  const opposite = opposites[action];
  const done = new Map(results.flatMap(({ id, outcome, post }) => (outcome === 'done' && post ? [[id, post]] : [])));
  const changed = posts.flatMap((before) => {
    const after = done.get(before.id);
    return after ? [{ ...before, version: after.version }] : [];
  });
  return opposite && changed.length > 0 ? { action: opposite, posts: changed, isUndo: true } : null;
}

function toInput({ id, version, scheduled_at }: AdminPostListItem, isUndo: boolean) {
  return { id, version, ...(isUndo && scheduled_at !== null ? { publish_at: scheduled_at } : {}) };
}

/**
 * Changes many posts one by one, and tells the outcome of each.
 * @param tell shows an outcome on the page
 * @param follow hears of each post as the change left it
 */
export function useBulkActions(
  tell: (outcome: Outcome | null) => void,
  follow: (results: readonly BulkItem[]) => void,
) {
  const api = useAdminApi();
  const { reload, show } = usePostCache();
  const [isBusy, setIsBusy] = useState(false);

  /** Adds each outcome to `results` as it comes: what is done is known also when a later request fails. */
  const change = async ({ action, posts, isUndo }: Change, results: BulkItem[]): Promise<void> => {
    for (let start = 0; start < posts.length; start += MAX_AT_ONCE) {
      const part = posts.slice(start, start + MAX_AT_ONCE).map((post) => toInput(post, isUndo));
      const answer = await api.post<BulkResult>(adminPaths.bulk, {
        action,
        posts: part,
        ...(isUndo ? { is_undo: true } : {}),
      });
      results.push(...answer.results);
      show(answer.results.flatMap(({ post }) => post ?? []));
      follow(answer.results);
    }
  };

  const tellEnd = (wanted: Change, results: readonly BulkItem[], failure?: string): void => {
    const { action, posts, isUndo } = wanted;
    const outcome = describeBulk(wanted, results, failure);
    showToast({ kind: outcome.kind, title: outcome.title, ...(outcome.text ? { text: outcome.text } : {}) });
    const undo = isUndo ? null : toUndo(action, posts, results);
    if (undo === null) {
      tell(outcome);
      return;
    }
    const isTrash = action === 'trash';
    const texts = [isTrash ? describeTrashed(undo.posts.map(titleOf)) : null, outcome.text];
    const text = texts.filter(Boolean).join(' ');
    tell({ ...outcome, text, action: { label: 'Undo', run: () => void apply(undo), isBrief: !isTrash } });
  };

  const apply = async (wanted: Change): Promise<void> => {
    const { action, posts } = wanted;
    if (isBusy) return;
    if (action === 'trash' && !confirm(confirmDeleteMany(posts.length))) return;
    setIsBusy(true);
    tell(null);
    const results: BulkItem[] = [];
    try {
      await change(wanted, results);
      tellEnd(wanted, results);
    } catch (error) {
      if (!isAccessDenied(error)) tellEnd(wanted, results, describeError(error));
    } finally {
      setIsBusy(false);
      await reload();
    }
  };

  return {
    isBusy,
    apply: (action: BulkAction, posts: readonly AdminPostListItem[]) => void apply({ action, posts, isUndo: false }),
  };
}
