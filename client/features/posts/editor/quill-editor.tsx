import Quill from 'quill';
import { useEffect, useImperativeHandle, useRef } from 'react';
import type { RichTextEditorProps } from './editor-contract.js';

/** The editor itself. */
export function QuillEditor({ id, label, initialHtml, onChange, ref }: RichTextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Quill | null>(null);
  const first = useRef({ initialHtml, onChange });

  useEffect(() => {
    if (place.current === null) return;
    const quill = new Quill(place.current.appendChild(document.createElement('div')));
    editor.current = quill;
    quill.setContents(quill.clipboard.convert({ html: first.current.initialHtml }), 'silent');
    quill.on('text-change', () => first.current.onChange(quill.root.innerHTML, { isEmpty: quill.editor.isBlank() }));
    const container = place.current;
    return () => container.replaceChildren();
  }, []);

  useImperativeHandle(ref, () => ({
    focus: () => editor.current?.focus(),
    getHtml: () => editor.current?.root.innerHTML ?? initialHtml,
    setHtml: (html) => void editor.current?.setContents(editor.current.clipboard.convert({ html }), 'user'),
    imagesWithoutAlternative: () => [],
    focusImage: () => undefined,
  }));

  return (
    <div className="field">
      <span id={`${id}-label`}>{label}</span>
      <div ref={place} />
    </div>
  );
}
