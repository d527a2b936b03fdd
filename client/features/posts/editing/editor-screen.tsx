import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../../src/shared/paths.js';
import { editorMessages } from '../../../content/post-editor.js';
import { OFFLINE } from '../../../lib/api-errors.js';
import { logError } from '../../../lib/log-error.js';
import { showToast } from '../../../lib/toast.js';
import type { EditorParts } from './editor-parts.js';
import { PostEditor } from './post-editor.js';
import { randomId } from '../../../lib/random-id.js';
import { usePostApi } from './use-saver.js';

interface EditorScreenProps extends EditorParts {
  /** Id of the post; null creates one. */
  readonly id: string | null;
}

/** The screen on which posts are written (product.md 2.13). */
export function EditorScreen({ id, ...parts }: EditorScreenProps) {
  return id === null ? <NewPost {...parts} /> : <ExistingPost id={id} {...parts} />;
}

function NewPost(parts: EditorParts) {
  // The editor names the post itself, so that a first save whose answer is lost can be repeated.
  const [postId] = useState(randomId);
  return <PostEditor postId={postId} post={null} {...parts} />;
}

function ExistingPost({ id, ...parts }: EditorParts & { readonly id: string }) {
  const api = usePostApi();
  const navigate = useNavigate();
  // Read anew whenever the editor opens, and never under the hands of somebody who writes.
  const {
    data: post,
    error,
    isPaused,
  } = useQuery({
    queryKey: ['post', id],
    queryFn: () => api.load(id),
    gcTime: 0,
    staleTime: Infinity,
  });
  // Read once more after somebody has signed in again: what comes of that leads nobody away from what they write.
  const failure = post ? null : error;
  useEffect(() => {
    if (!failure) return;
    logError('The post could not be loaded:', failure);
    showToast({ kind: 'error', title: editorMessages.error, text: editorMessages.loadFailed });
    void navigate(paths.admin.blogs, { replace: true });
  }, [failure, navigate]);
  if (post) return <PostEditor postId={id} post={post} {...parts} />;
  const { ScreenHead } = parts;
  return (
    <>
      <ScreenHead title={editorMessages.titleEdit} />
      <p role="status" className="quiet">
        {failure ? null : isPaused ? OFFLINE : editorMessages.loading}
      </p>
    </>
  );
}
