import { LostPart } from '../../components/lost-part.js';
import { lazyPart } from '../../lib/lazy-part.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';
import type { RichTextEditorProps } from './editor/editor-contract.js';

/**
 * The editor of a post's text (product.md 2.13). It brings several hundred kilobytes, so
 * it is a part of its own that only the editor's page loads, and only in the browser.
 */
export function RichTextEditor(props: RichTextEditorProps) {
  // Quill cannot even be loaded where there is no document.
  return useIsHydrated() ? <LoadedEditor {...props} /> : null;
}

const LoadedEditor = lazyPart<RichTextEditorProps>(
  async () => (await import('./editor/quill-editor.js')).QuillEditor,
  LostPart,
);
