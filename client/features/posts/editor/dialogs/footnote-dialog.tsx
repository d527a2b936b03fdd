import { useRef, useState } from 'react';
import { Button } from '../../../../components/button.js';
import { tidyLine } from './editable-html.js';
import { EditorDialog } from './editor-dialog.js';
import { HtmlField, type HtmlFieldHandle } from './html-field.js';

interface FootnoteDialogProps {
  /** The note as HTML; empty for a new one. */
  readonly note: string;
  readonly onSave: (note: string) => void;
  readonly onRemove: () => void;
  readonly onCancel: () => void;
}

/** Asks for the words of a footnote. */
export function FootnoteDialog({ note, onSave, onRemove, onCancel }: FootnoteDialogProps) {
  const field = useRef<HtmlFieldHandle>(null);
  const [isMissing, setIsMissing] = useState(false);
  const handleSubmit = () => {
    const written = tidyLine(field.current?.read() ?? note);
    setIsMissing(written === '');
    if (written !== '') onSave(written);
  };
  const remove = (
    <Button kind="line" isSmall onClick={onRemove}>
      Remove footnote
    </Button>
  );
  return (
    <EditorDialog
      title={note === '' ? 'Add a footnote' : 'Edit the footnote'}
      submitLabel="Save footnote"
      onSubmit={handleSubmit}
      onCancel={onCancel}
      extra={note === '' ? null : remove}
    >
      <HtmlField
        ref={field}
        label="Footnote"
        html={note}
        isInline
        hint="Stands at the end of the post; its number stands here and is counted by itself."
      />
      <p role="alert">{isMissing ? 'Footnote is required' : ''}</p>
    </EditorDialog>
  );
}
