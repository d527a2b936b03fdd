import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AdminPost, PostForm, Revision } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { Button } from '../../../components/button.js';
import { editorMessages } from '../../../content/post-editor.js';
import { showToast } from '../../../lib/toast.js';
import type { RichTextEditorHandle } from '../editor/editor-contract.js';
import { POSTS_KEY } from '../manage/use-post-list.js';
import { ConflictDialog } from './conflict-dialog.js';
import { CopiesPanel, useLeftCopies } from './copies-panel.js';
import { EditorNotices, type Restored } from './editor-notices.js';
import type { EditorParts } from './editor-parts.js';
import { FeaturedImagePanel, SharingPanel } from './image-panels.js';
import { LeaveGuard } from './leave-guard.js';
import type { LocalCopies, LocalCopy } from './local-copies.js';
import { OvertakingDialog } from './overtaking-dialog.js';
import { PicturesDialog, type UndescribedPicture } from './pictures-dialog.js';
import { PostDetails, PostText } from './post-form.js';
import { withoutChanged } from './post-problems.js';
import { PostTools } from './post-tools.js';
import { PreviewDialog } from './preview-dialog.js';
import { toShownDate } from './publication.js';
import { PublishingPanel } from './publishing-panel.js';
import { RevisionsDialog } from './revisions-dialog.js';
import { SaveBar } from './save-bar.js';
import { hasUnsavedChanges } from './saving-words.js';
import { usePostTasks } from './use-post-tasks.js';
import { useLocalCopies, usePostApi, useSaver } from './use-saver.js';
import { useSavingFlow } from './use-saving-flow.js';

interface PostEditorProps extends EditorParts {
  readonly postId: string;
  /** As it was loaded; null for a post that does not exist yet. */
  readonly post: AdminPost | null;
}

/** Returns true when the address asks for the versions of the post. */
function asksForRevisions(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'shows' in state && state.shows === 'revisions';
}

/** The editor of one post. */
export function PostEditor({ postId, post, ScreenHead, ImageField, uploadImage }: PostEditorProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const location = useLocation();
  const api = usePostApi();
  const copies = useLocalCopies();
  const { saver, state } = useSaver(postId, post);
  const form = useRef<HTMLFormElement>(null);
  const editor = useRef<RichTextEditorHandle>(null);
  const [uploads, setUploads] = useState({ text: false, featured: false, sharing: false });
  const [open, setOpen] = useState<'preview' | 'revisions' | null>(
    asksForRevisions(location.state) ? 'revisions' : null,
  );
  const [dismissed, setDismissed] = useState<object | null>(null);
  const [restored, setRestored] = useState<Restored | null>(null);
  const isNew = post === null;
  const findCopies = useCallback(
    (store: LocalCopies) => (isNew ? store.ofNewPosts() : store.ofPost(postId)),
    [isNew, postId],
  );
  const [inForm, setInForm] = useState<ReadonlySet<string>>(new Set());
  const { left, refresh } = useLeftCopies(copies, findCopies, state, inForm);

  const leave = () => {
    void queries.invalidateQueries({ queryKey: POSTS_KEY });
    void navigate(paths.admin.blogs);
  };
  const flow = useSavingFlow({
    saver,
    api,
    form,
    editor,
    onSaved: () => {
      showToast({ kind: 'success', title: isNew ? editorMessages.created : editorMessages.updated });
      leave();
    },
  });
  const tasks = usePostTasks({ postId, saver, api, flow, onDeleted: leave });
  useAddressOfPost(postId, isNew && state.server !== null);
  useSaveKey(() => form.current?.requestSubmit());

  const { fields, server, conflict, overtaking } = state;
  const isUploading = Object.values(uploads).includes(true);
  const isSaving = state.isInFlight && (state.isSaveWanted || state.request?.kind === 'save');

  const handleChange = (next: PostForm) => {
    flow.setProblems(withoutChanged(flow.problems, fields, next));
    saver.edit(next);
  };
  const handleDate = (to: string | null) => {
    const { published_date: _changed, ...others } = flow.problems;
    flow.setProblems(others);
    saver.chooseDate(to);
  };
  const imagePanel = (name: 'featured' | 'sharing') => ({
    fields,
    problems: flow.problems,
    ImageField,
    onUploadingChange: (isBusy: boolean) => setUploads((now) => ({ ...now, [name]: isBusy })),
    // An upload ends later than it began: what was typed meanwhile stays.
    onChange: (changed: Partial<PostForm>) => handleChange({ ...saver.getState().fields, ...changed }),
  });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (conflict) setDismissed(null);
    else if (!isSaving && !isUploading) void flow.handleSave();
  };
  const handleRestore = (
    what: string,
    next: PostForm,
    from: { readonly revisionId?: string; readonly copy?: LocalCopy },
  ) => {
    const aside = saver.replace(next, from);
    setRestored({ what, before: fields, aside, copy: from.copy ?? null });
    if (from.copy) setInForm(new Set([...inForm, from.copy.key]));
    void refresh();
  };
  const handleUndo = ({ before, aside, copy }: Restored) => {
    saver.replace(before, aside ? { copy: aside } : {});
    setRestored(null);
    // What was in the form lies on this device again, and the other way round.
    setInForm(new Set([...inForm, aside?.key ?? ''].filter((key) => key !== copy?.key)));
    void refresh();
  };
  const handleRestoreRevision = (revision: Revision) => {
    setOpen(null);
    handleRestore('An earlier version', revision.fields, { revisionId: revision.id });
  };
  const handleDescribe = (picture: UndescribedPicture) => {
    flow.setQuestion(null);
    // After the dialog has given the focus back.
    requestAnimationFrame(() => {
      if (picture.place === 'text') editor.current?.focusImage(picture.image);
      else form.current?.querySelector<HTMLElement>('.featured-image input:not([type="file"])')?.focus();
    });
  };

  return (
    <>
      <form ref={form} className="post-editor" noValidate onSubmit={handleSubmit}>
        <ScreenHead title={isNew ? editorMessages.titleNew : editorMessages.titleEdit} />
        <CopiesPanel
          left={left}
          fields={fields}
          date={toShownDate(state)}
          version={state.version}
          savedAt={server?.working_copy?.kept_at ?? server?.updated_at ?? null}
          onRestore={(copy) => handleRestore('The text of this device', copy.fields, { copy })}
          onDiscard={(copy) => {
            copies.remove(copy.key);
            void refresh();
          }}
        />
        <EditorNotices
          state={state}
          restored={restored}
          onUndo={handleUndo}
          onRestoreFromTrash={tasks.restoreFromTrash}
          onAcknowledge={() => saver.acknowledge()}
        />
        <div className="editor-columns">
          <PostText
            fields={fields}
            problems={flow.problems}
            server={server}
            replaced={state.replaced}
            uploadImage={uploadImage}
            editorRef={editor}
            onUploadingChange={(isBusy) => setUploads((now) => ({ ...now, text: isBusy }))}
            onChange={handleChange}
          />
          <div className="editor-side">
            <PublishingPanel
              state={state}
              problem={flow.problems.published_date}
              scheduleProblem={tasks.scheduleProblem}
              isBusy={state.isTaskRunning || isSaving}
              onDate={handleDate}
              onDecide={(isPublished) => saver.decide(isPublished)}
              onSchedule={tasks.schedule}
              onUnschedule={tasks.unschedule}
            />
            <PostDetails fields={fields} problems={flow.problems} onChange={handleChange} />
            <FeaturedImagePanel {...imagePanel('featured')} />
            <SharingPanel {...imagePanel('sharing')} />
            {server ? (
              <PostTools
                state={state}
                onShowRevisions={() => setOpen('revisions')}
                onDiscard={tasks.canDiscard(state) ? tasks.discard : null}
                onDuplicate={tasks.duplicate}
                onDelete={tasks.remove}
              />
            ) : null}
          </div>
        </div>
        <SaveBar
          state={state}
          isSaving={isSaving}
          isUploading={isUploading}
          onCancel={() => void navigate(paths.admin.blogs)}
          remedy={
            <>
              {conflict ? (
                <Button kind="line" isSmall onClick={() => setDismissed(null)}>
                  Compare both versions
                </Button>
              ) : null}
              {state.trouble?.kind === 'session-expired' ? (
                <Button kind="line" isSmall onClick={tasks.signInAgain}>
                  Enter password
                </Button>
              ) : null}
            </>
          }
        >
          <Button
            kind="line"
            disabled={state.version === 0 && !hasUnsavedChanges(state)}
            onClick={() => setOpen('preview')}
          >
            Preview
          </Button>
        </SaveBar>
      </form>
      <LeaveGuard saver={saver} state={state} onDiscard={tasks.throwAway} />
      {conflict && dismissed !== conflict ? (
        <ConflictDialog
          mine={fields}
          decision={state.decision}
          date={state.date}
          current={conflict.current}
          onClose={() => setDismissed(conflict)}
          onBringBack={tasks.bringBack}
          onResolve={(choice, isForced) => {
            const isResolved = saver.resolve(choice, { isForced });
            void refresh();
            return isResolved;
          }}
        />
      ) : null}
      {overtaking?.isAsked ? (
        <OvertakingDialog
          overtaking={overtaking}
          onClose={() => saver.acknowledge()}
          onSave={() => {
            saver.acknowledge();
            void flow.handleSave();
          }}
        />
      ) : null}
      {flow.question ? (
        <PicturesDialog
          {...flow.question}
          onDescribe={handleDescribe}
          onClose={() => flow.setQuestion(null)}
          onProceed={() => {
            flow.setQuestion(null);
            flow.question?.proceed();
          }}
        />
      ) : null}
      {open === 'preview' ? <PreviewDialog createLink={tasks.createPreviewLink} onClose={() => setOpen(null)} /> : null}
      {open === 'revisions' ? (
        <RevisionsDialog
          postId={postId}
          fields={fields}
          onRestore={handleRestoreRevision}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

/**
 * Gives a new post its own address once it exists, so that a reload finds it. Not by a navigation, which would move the
 * focus away from what is being written.
 */
function useAddressOfPost(postId: string, exists: boolean): void {
  useEffect(() => {
    if (exists) window.history.replaceState(window.history.state, '', paths.admin.blog(postId));
  }, [exists, postId]);
}

/** Saves by Ctrl+S or Cmd+S, wherever the focus is. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's')
        return;
      // The browser would save the page.
      event.preventDefault();
      if (!event.repeat && document.querySelector('dialog[open]') === null) latest.current();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
