import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PreviewLink } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { editorMessages } from '../../../content/post-editor.js';
import { describeError, UnreachableError } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';
import type { PostApi } from './post-api.js';
import type { PostTask, Saver } from './saver.js';
import { isDirty, type Answer, type Saving } from './saving-state.js';
import { hasUnsavedChanges, hasUnsavedDate, hasUnsavedDecision, hasWorkingCopy } from './saving-words.js';
import { describeAnswer, showFailure, type useSavingFlow } from './use-saving-flow.js';

interface PostTasksParts {
  readonly postId: string;
  readonly saver: Saver;
  readonly api: PostApi;
  readonly flow: Pick<ReturnType<typeof useSavingFlow>, 'prepare'>;
  readonly onDeleted: () => void;
}

/** Returns true when the post was saved, by 'Save Post' or by an autosave in its place. */
function wasSaved({ server }: Saving): boolean {
  return server !== null && server.saved.title !== '';
}

/** Returns true when there is a saved post to go back to, and a change to give up. */
function canDiscard(state: Saving): boolean {
  if (!wasSaved(state) || state.conflict || state.trouble) return false;
  return isDirty(state) || hasUnsavedDecision(state) || hasUnsavedDate(state) || state.server?.working_copy != null;
}

/**
 * Throws everything away that was not saved, here and on the server, for somebody who leaves; says so where the server
 * may have it still.
 */
async function throwAway(postId: string, saver: Saver, api: PostApi): Promise<void> {
  const state = saver.getState();
  const isOnServer = state.request !== null || hasWorkingCopy(state);
  if (isOnServer && state.conflict === null) {
    const canReach = state.trouble === null && state.isOnline;
    const discard = (version: number) =>
      wasSaved(state) ? api.discard(postId, version) : api.moveToTrash(postId, version);
    const isDone = canReach && (await saver.run(discard)).kind === 'done';
    if (!isDone) showFailure(editorMessages.stillOnServer);
  }
  saver.abandon();
}

/** Describes a change that failed; null when it succeeded, or when the dialog of a conflict tells. */
function describeTask(answer: Answer, saver: Saver): string | null {
  // A race that was lost against no other text opens none.
  if (answer.kind === 'conflict' && !saver.getState().conflict) return editorMessages.changedMeanwhile;
  return describeAnswer(answer);
}

/** Actions on a post beside saving it. Each waits for its turn behind the saves. */
export function usePostTasks({ postId, saver, api, flow, onDeleted }: PostTasksParts) {
  const duplicate = useDuplicating(postId, api);
  const [scheduleProblem, setScheduleProblem] = useState<string | undefined>();

  const tell = (answer: Answer, success: string): boolean => {
    const failure = describeTask(answer, saver);
    if (failure !== null) showFailure(failure);
    if (answer.kind === 'done') showToast({ kind: 'success', title: success });
    return answer.kind === 'done';
  };
  const run = async (task: PostTask, success: string, options?: { readonly isTextReplaced: boolean }) =>
    tell(await saver.run(task, options), success);

  const planFor = async (publishAt: string) => {
    const answer = await saver.run((version) => api.schedule(postId, version, publishAt));
    if (answer.kind === 'refused') setScheduleProblem(answer.message);
    tell(answer, editorMessages.scheduled);
  };

  return {
    scheduleProblem,

    schedule: (publishAt: string) => {
      setScheduleProblem(undefined);
      const state = saver.getState();
      const isSaveNeeded = hasUnsavedChanges(state) || !wasSaved(state);
      void flow.prepare('Schedule', isSaveNeeded, () => void planFor(publishAt));
    },

    unschedule: () => void run((version) => api.schedule(postId, version, null), editorMessages.unscheduled),

    restoreFromTrash: () =>
      void run((version) => api.restoreFromTrash(postId, version), editorMessages.restoredFromTrash),

    /** After a colleague deleted the post: as a draft again, with the text of the form. */
    bringBack: async () => {
      const { conflict } = saver.getState();
      if (!conflict) return;
      const answer = await api.restoreFromTrash(postId, conflict.current.version);
      if (tell(answer, editorMessages.restoredFromTrash) && answer.kind === 'done') {
        // What was in the trash is among the versions.
        saver.resolve('mine', { current: answer.post, isForced: true });
      }
    },

    duplicate,

    remove: async () => {
      if (!window.confirm(editorMessages.deleteQuestion)) return;
      const answer = await saver.run((version) => api.moveToTrash(postId, version));
      if (answer.kind === 'done') {
        showToast({ kind: 'success', title: editorMessages.deleted });
        saver.finish();
        onDeleted();
      } else {
        const failure = describeTask(answer, saver);
        if (failure !== null) showFailure(answer.kind === 'conflict' ? failure : editorMessages.deleteFailed);
      }
    },

    canDiscard,

    discard: () => {
      if (!window.confirm(editorMessages.discardQuestion)) return;
      const { server, request } = saver.getState();
      if (server && !server.working_copy && !request) {
        saver.discard();
        return;
      }
      void run((version) => api.discard(postId, version), editorMessages.discarded, { isTextReplaced: true });
    },

    throwAway: () => throwAway(postId, saver, api),

    /** @throws UnreachableError when what was typed cannot be sent, so that the preview would show something else */
    createPreviewLink: async (): Promise<PreviewLink> => {
      if (!(await saver.settle())) throw new UnreachableError();
      return api.createPreviewLink(postId);
    },

    signInAgain: () => {
      api.ensureSession().then(
        () => saver.signedIn(),
        () => undefined,
      );
    },
  };
}

/** Makes a copy of the post and opens it. Whoever presses twice wants one. */
function useDuplicating(postId: string, api: PostApi): () => Promise<void> {
  const navigate = useNavigate();
  const isUnderWay = useRef(false);
  return async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      const copy = await api.duplicate(postId);
      showToast({ kind: 'success', title: editorMessages.duplicated });
      void navigate(paths.admin.blog(copy.id));
    } catch (error) {
      showFailure(describeError(error));
    } finally {
      isUnderWay.current = false;
    }
  };
}
