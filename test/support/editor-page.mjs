/* global window, document */
// The page of test/browser/post-editor*.test.ts: nothing but the editor, in the site's styles.
import '../../client/before-paint.ts';
import Quill from 'quill';
import { createElement, StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastSlot } from '../../client/components/toast-slot.tsx';
import { playVideo } from '../../client/features/posts/play-video.ts';
import { parseHtml } from '../../client/lib/parse-html.ts';
import { trustHtml } from '../../client/lib/trusted-html.ts';
import { RichTextEditor } from '../../client/features/posts/rich-text-editor.tsx';
import '../../client/styles/index.css';

/** State that the test reads and sets. */
const harness = { changes: [], uploads: [], uploading: [], handle: null, initialHtml: '' };
window.harness = harness;

/** The Quill behind the editor, for what nobody can do by hand a thousand times. */
harness.quill = () => Quill.find(document.querySelector('.ql-container'));
harness.Quill = Quill;
harness.parseHtml = parseHtml;

/** An uploader whose answers the test gives, by the file's name, or the address on another site. */
function uploadImage(file, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    harness.uploads.push({
      name: file.name ?? file.address,
      type: file.type,
      size: file.size,
      signal,
      onProgress,
      resolve,
      reject,
    });
  });
}

function Page() {
  const handle = useRef(null);
  const [isShown, setIsShown] = useState(false);
  const [article, setArticle] = useState('');
  harness.setArticle = setArticle;
  harness.show = () => setIsShown(true);
  harness.hide = () => setIsShown(false);
  harness.editor = handle;
  return createElement(
    'main',
    { className: 'wrap wrap-narrow' },
    createElement('h1', null, 'Editor'),
    createElement('button', { type: 'button' }, 'Before'),
    isShown
      ? createElement(RichTextEditor, {
          id: 'content',
          label: 'Content',
          isRequired: true,
          initialHtml: harness.initialHtml,
          onChange: (html, change) => harness.changes.push({ html, ...change }),
          onUploadImage: uploadImage,
          onUploadingChange: (isUploading) => harness.uploading.push(isUploading),
          ref: handle,
        })
      : null,
    createElement('button', { type: 'button' }, 'After'),
    // As the published page has it.
    createElement('div', {
      className: 'prose',
      onClick: playVideo,
      dangerouslySetInnerHTML: { __html: trustHtml(article) },
    }),
    createElement(ToastSlot),
  );
}

createRoot(document.getElementById('root')).render(createElement(StrictMode, null, createElement(Page)));
