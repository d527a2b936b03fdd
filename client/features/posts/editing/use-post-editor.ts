import { useQueryClient } from '@tanstack/react-query';
import { useState, type RefObject, type SubmitEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { editorMessages } from '../../../content/post-editor.js';
import { showToast } from '../../../lib/toast.js';
import type { RichTextEditorHandle } from '../editor/editor-contract.js';
import { POSTS_KEY } from '../manage/use-post-list.js';
import { withoutChanged } from './post-problems.js';
import { useAddressOfPost, useSaveKey } from './use-editor-page.js';
import { usePostTasks } from './use-post-tasks.js';
import { useRestoring } from './use-restoring.js';
import { useLocalCopies, usePostApi, useSaver } from './use-saver.js';
import { useSavingFlow } from './use-saving-flow.js';

interface PostEditorRefs {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly text: RefObject<RichTextEditorHandle | null>;
}

/** The parts of the form that take images. */
export type ImagePlace = 'text' | 'featured' | 'sharing';

/** The editor of a post for its parts: the state of the form, and all that they can ask it to do. */
export type PostEditing = ReturnType<typeof usePostEditor>;

/**
 * Ties the form of a post to its saver, its tasks and its dialogs.
 * @param post as it was loaded; null for a post that does not exist yet
 */
export function usePostEditor(postId: string, post: AdminPost | null, { form, text }: PostEditorRefs) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const api = usePostApi();
  const copies = useLocalCopies();
  const { saver, state } = useSaver(postId, post);
  const uploads = useUploads();
  const dialog = useDialog();
  const isNew = post === null;
  const restoring = useRestoring({ postId, isNew, saver, state, copies });

  const leave = () => {
    void queries.invalidateQueries({ queryKey: POSTS_KEY });
    void navigate(paths.admin.blogs);
  };
  const handleSaved = () => {
    showToast({ kind: 'success', title: isNew ? editorMessages.created : editorMessages.updated });
    leave();
  };
  const flow = useSavingFlow({ saver, api, form, editor: text, onSaved: handleSaved });
  const tasks = usePostTasks({ postId, saver, api, flow, onDeleted: leave });
  useAddressOfPost(postId, isNew && state.server !== null);
  useSaveKey(() => form.current?.requestSubmit());
  const isSaving = state.isInFlight && (state.isSaveWanted || state.request?.kind === 'save');

  const change = (next: PostForm) => {
    flow.setProblems(withoutChanged(flow.problems, state.fields, next));
    saver.edit(next);
  };
  const changeDate = (to: string | null) => {
    const { published_date: _changed, ...others } = flow.problems;
    flow.setProblems(others);
    saver.chooseDate(to);
  };
  return {
    postId,
    isNew,
    saver,
    state,
    flow,
    tasks,
    restoring,
    dialog,
    uploads,
    isSaving,
    change,
    changeDate,
    /** An upload ends later than it began: what was typed meanwhile stays. */
    changePart: (changed: Partial<PostForm>) => change({ ...saver.getState().fields, ...changed }),
    cancel: () => void navigate(paths.admin.blogs),
    handleSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (state.conflict) dialog.showConflict();
      else if (!isSaving && !uploads.isUploading) void flow.handleSave();
    },
  };
}

/** Knows in which parts of the form an image is being uploaded. */
function useUploads() {
  const [busy, setBusy] = useState<Readonly<Record<ImagePlace, boolean>>>({
    text: false,
    featured: false,
    sharing: false,
  });
  return {
    isUploading: Object.values(busy).includes(true),
    note: (place: ImagePlace, isBusy: boolean) => setBusy((now) => ({ ...now, [place]: isBusy })),
  };
}

/** Knows which dialog is open, and which conflict is not to be shown again by itself. */
function useDialog() {
  const location = useLocation();
  const [open, setOpen] = useState<'preview' | 'revisions' | null>(
    asksForRevisions(location.state) ? 'revisions' : null,
  );
  const [dismissed, setDismissed] = useState<object | null>(null);
  return {
    open,
    show: (name: 'preview' | 'revisions') => setOpen(name),
    close: () => setOpen(null),
    isDismissed: (conflict: object) => dismissed === conflict,
    dismissConflict: (conflict: object) => setDismissed(conflict),
    showConflict: () => setDismissed(null),
  };
}

/** Returns true when the address asks for the versions of the post. */
function asksForRevisions(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'shows' in state && state.shows === 'revisions';
}
