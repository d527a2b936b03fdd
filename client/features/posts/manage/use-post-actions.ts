import { useCallback, useMemo, useState } from 'react';
import type { AdminPost, AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { paths } from '../../../../src/shared/paths.js';
import { describeTrashed, postListMessages as messages } from '../../../content/admin-posts.js';
import type { AdminApi } from '../../../lib/admin-api.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { isAccessDenied } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';
import { currentOf, describeRefusal, titleOf } from './describe-refusal.js';
import type { Outcome } from '../../../components/outcome.js';
import { usePostCache } from './use-post-list.js';
import type { Decision } from './use-undo-offers.js';

const address = adminPaths;

/** The calls behind the buttons of one post. Each names the version that the list shows. */
const calls = {
  publish: (api: AdminApi, { id, version }: AdminPostListItem, isPublished: boolean) =>
    api.put<AdminPostListItem>(address.publication(id), { version, is_published: isPublished }),
  undo: (api: AdminApi, { before, after: { id, version } }: Decision) =>
    api.post<AdminPostListItem>(address.publicationUndo(id), {
      version,
      was_published: before.is_published,
      publish_at: before.scheduled_at,
    }),
  trash: (api: AdminApi, { id, version }: AdminPostListItem) =>
    api.delete<AdminPostListItem>(address.post(id), { query: { version } }),
  restore: (api: AdminApi, { id, version }: AdminPostListItem) =>
    api.post<AdminPostListItem>(address.restore(id), { version }),
  remove: (api: AdminApi, { id, version }: AdminPostListItem) =>
    api.delete<void>(address.permanently(id), { query: { version } }),
  duplicate: (api: AdminApi, { id }: AdminPostListItem) => api.post<AdminPost>(address.duplicate(id)),
};

/** Actions on one post of the list. The functions keep their identity, so that rows need not be rendered again. */
export interface PostActions {
  readonly toggle: (post: AdminPostListItem) => void;
  readonly undo: (decision: Decision) => void;
  readonly trash: (post: AdminPostListItem) => void;
  readonly restore: (post: AdminPostListItem) => void;
  readonly remove: (post: AdminPostListItem) => void;
  readonly duplicate: (post: AdminPostListItem) => void;
}

/** Runs an action on a post. `work` returns the outcome to show; `failure` is the title shown when it fails. */
type Run = (post: AdminPostListItem, failure: string, work: () => Promise<Outcome | null>) => Promise<void>;

/**
 * Does it, tells how it ended by a toast and on the page, and reads the list anew.
 * @param tell shows an outcome on the page; the same function at every call
 * @param offer shows in the row of a post that a decision can be undone; the same function at every call
 * @returns the actions, and the ids of the posts to which something is being done
 */
export function usePostActions(tell: (outcome: Outcome | null) => void, offer: (decision: Decision) => void) {
  const api = useAdminApi();
  const { reload, show } = usePostCache();
  const [busy, setBusy] = useState<readonly string[]>([]);

  const run: Run = useCallback(
    async (post, failure, work) => {
      setBusy((ids) => [...ids, post.id]);
      tell(null);
      const outcome = await work().catch((error: unknown) => {
        if (isAccessDenied(error)) return null;
        const current = currentOf(error);
        // The sentence sends whoever reads it to the list: that has it at once.
        if (current) show([current]);
        const refusal = describeRefusal(failure, post, error);
        showToast({ kind: 'error', title: failure, ...(refusal.text ? { text: refusal.text } : {}) });
        return refusal;
      });
      setBusy((ids) => ids.filter((id) => id !== post.id));
      tell(outcome);
      await reload();
    },
    [reload, show, tell],
  );

  const actions = useMemo(() => createActions(api, run, show, offer), [api, run, show, offer]);
  return { actions, busy };
}

function createActions(
  api: AdminApi,
  run: Run,
  show: (posts: readonly AdminPostListItem[]) => void,
  offer: (decision: Decision) => void,
): PostActions {
  const toggle = (post: AdminPostListItem) =>
    run(post, messages.toggleFailed, async () => {
      const after = await calls.publish(api, post, !post.is_published);
      // Before the list loses it.
      offer({ before: post, after });
      show([after]);
      showToast({ kind: 'success', title: wordsOf(after) });
      return null;
    });

  const undo = (decision: Decision) =>
    run(decision.after, messages.toggleFailed, async () => {
      const undone = await calls.undo(api, decision);
      show([undone]);
      showToast({ kind: 'success', title: undone.state === 'scheduled' ? messages.planned : wordsOf(undone) });
      return null;
    });

  const restore = (post: AdminPostListItem) =>
    run(post, messages.restoreFailed, async () => {
      show([await calls.restore(api, post)]);
      showToast({ kind: 'success', title: messages.restored });
      const link = { label: 'Open the post', to: paths.admin.blog(post.id) };
      return { kind: 'success', title: messages.restored, text: titleOf(post), link, takesFocus: true };
    });

  const trash = async (post: AdminPostListItem) => {
    if (!confirm(messages.confirmDelete)) return;
    await run(post, messages.deleteFailed, async () => {
      const trashed = await calls.trash(api, post);
      show([trashed]);
      const action = { label: 'Undo', run: () => void restore(trashed) };
      showToast({ kind: 'success', title: messages.deleted, action });
      const text = describeTrashed([titleOf(post)]);
      return { kind: 'success', title: messages.deleted, text, action, takesFocus: true };
    });
  };

  const remove = async (post: AdminPostListItem) => {
    if (!confirm(messages.confirmRemoval)) return;
    await run(post, messages.deleteFailed, async () => {
      await calls.remove(api, post);
      showToast({ kind: 'success', title: messages.removed });
      return { kind: 'success', title: messages.removed, text: titleOf(post), takesFocus: true };
    });
  };

  const duplicate = (post: AdminPostListItem) =>
    run(post, messages.duplicateFailed, async () => {
      const copy = await calls.duplicate(api, post);
      showToast({ kind: 'success', title: messages.duplicated });
      const link = { label: 'Open the copy', to: paths.admin.blog(copy.id) };
      return { kind: 'success', title: messages.duplicated, text: titleOf(copy), link };
    });

  return {
    toggle: (post) => void toggle(post),
    undo: (decision) => void undo(decision),
    trash: (post) => void trash(post),
    restore: (post) => void restore(post),
    remove: (post) => void remove(post),
    duplicate: (post) => void duplicate(post),
  };
}

/** Returns what was done to a post that is so now. */
export function wordsOf({ is_published }: AdminPostListItem): string {
  return is_published ? messages.published : messages.unpublished;
}
