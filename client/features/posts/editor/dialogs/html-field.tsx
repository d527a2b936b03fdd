import { useId, useLayoutEffect, useRef, type ClipboardEvent, type Ref, useImperativeHandle } from 'react';
import { isComposing } from '../../../../lib/is-composing.js';
import { fromEditable, toEditable } from './editable-html.js';

/** Reads what an {@link HtmlField} holds now. */
export interface HtmlFieldHandle {
  read(): string;
}

interface HtmlFieldProps {
  readonly label: string;
  /** Sanitized HTML; later changes of this property do nothing. */
  readonly html: string;
  readonly hint: string;
  /** True for one line of text, in which Enter breaks the line. */
  readonly isInline?: boolean;
  /** Takes Enter, without Shift, where it does something else; answers false where it does not. */
  readonly onEnter?: (box: HTMLElement) => boolean;
  readonly ref: Ref<HtmlFieldHandle>;
}

/** Edits formatted text as it looks. What is pasted comes in as text; Ctrl+B and Ctrl+I are the browser's own. */
export function HtmlField({ label, html, hint, isInline = false, onEnter, ref }: HtmlFieldProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ read: () => (box.current === null ? html : fromEditable(box.current)) }), [html]);

  useLayoutEffect(() => {
    box.current?.replaceChildren(toEditable(html));
    box.current?.focus();
  }, [html]);

  const handlePaste = (event: ClipboardEvent) => {
    event.preventDefault();
    insertText(event.clipboardData.getData('text/plain').replace(/\s+/g, ' '));
  };
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      <div
        ref={box}
        // A translation would be read as what was typed.
        className="html-field prose notranslate"
        translate="no"
        role="textbox"
        aria-multiline="true"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        contentEditable
        suppressContentEditableWarning
        tabIndex={0}
        onPaste={handlePaste}
        onDrop={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return;
          if (!event.shiftKey && onEnter?.(event.currentTarget)) event.preventDefault();
          if (!isInline) return;
          event.preventDefault();
          document.execCommand('insertLineBreak');
        }}
      />
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** The one way to insert that the browser's own undo knows. */
function insertText(text: string): void {
  document.execCommand('insertText', false, text);
}
