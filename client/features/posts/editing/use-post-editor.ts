import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type RefObject, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { editorMessages } from '../../../content/post-editor.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { showToast } from '../../../lib/toast.js';
import type { RichTextEditorHandle } from '../editor/editor-contract.js';
import { toBroughtDecision } from '../manage/brought-decision.js';
import { POSTS_KEY } from '../manage/use-post-list.js';
import type { Decision } from '../manage/use-undo-offers.js';
import type { FormView } from './editor-parts.js';
import { rememberAuthor } from './last-author.js';
import { withoutChanged } from './post-problems.js';
import { useAddressOfPost, useDueLook, useSaveKey } from './use-editor-page.js';
import { canSave, describeForAuthor } from './publishing-words.js';
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
  const { person } = useAdminApi();
  const copies = useLocalCopies();
  const { saver, state } = useSaver(postId, post);
  const uploads = useUploads(state.replaced);
  const dialog = useDialog();
  const view = useView();
  const isNew = post === null;
  const restoring = useRestoring({ postId, isNew, saver, state, copies, api });

  const leave = (made?: Decision) => {
    void queries.invalidateQueries({ queryKey: POSTS_KEY });
    void navigate(paths.admin.blogs, made ? { state: toBroughtDecision(made) } : {});
  };
  const handleSaved = ({ before, post: after }: { before: AdminPost | null; post: AdminPost }) => {
    showToast({ kind: 'success', title: isNew ? editorMessages.created : editorMessages.updated });
    rememberAuthor(person.userId, after.author);
    // The row in the list offers to take it back.
    leave(before && before.is_published !== after.is_published ? { before, after } : undefined);
  };
  const flow = useSavingFlow({ saver, api, form, editor: text, onShow: view.show, onSaved: handleSaved });
  const tasks = usePostTasks({ postId, saver, api, flow, onDeleted: () => leave() });
  useAddressOfPost(postId, isNew && state.server !== null);
  useDueLook(state.server, () => void saver.look(() => api.look(postId)));
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
    person,
    api,
    saver,
    state,
    flow,
    tasks,
    restoring,
    dialog,
    view,
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
      else if (!canSave(state, person.mayPublish)) showToast({ kind: 'success', title: describeForAuthor(state) });
      else if (uploads.isUploading) showToast({ kind: 'error', title: editorMessages.uploading });
      else if (!isSaving) void flow.handleSave();
    },
  };
}

/** Knows which part of the form a small screen shows. */
function useView() {
  const [shown, setShown] = useState<FormView>('text');
  const left = useRef<Partial<Record<FormView, number>>>({});
  return {
    shown,
    show: setShown,
    /** Shows the other one, where it was left. */
    turn: () => {
      const next = shown === 'text' ? 'side' : 'text';
      left.current[shown] = window.scrollY;
      flushSync(() => setShown(next));
      window.scrollTo(0, left.current[next] ?? 0);
    },
  };
}

/**
 * Knows in which parts of the form an image is being uploaded, and says so when another text takes the place of the one
 * into which it was to come.
 * @param replaced changes with the text of the editor
 */
function useUploads(replaced: number) {
  const [busy, setBusy] = useState<Readonly<Record<ImagePlace, boolean>>>({
    text: false,
    featured: false,
    sharing: false,
  });
  const tellOfLeft = useEffectEvent(() => {
    if (busy.text) showToast({ kind: 'error', title: editorMessages.error, text: editorMessages.uploadLeft });
  });
  useEffect(() => tellOfLeft(), [replaced]);
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
