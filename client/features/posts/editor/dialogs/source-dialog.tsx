import { useState } from 'react';
import { TextAreaField } from '../../../../components/field.js';
import { EditorDialog } from './editor-dialog.js';

interface SourceDialogProps {
  readonly html: string;
  readonly onSave: (html: string) => void;
  readonly onCancel: () => void;
}

/** Edits a block that the editor cannot take apart, such as a table, as HTML. With nothing left, the block goes. */
export function SourceDialog({ html, onSave, onCancel }: SourceDialogProps) {
  const [source, setSource] = useState(html);
  return (
    <EditorDialog
      title="Edit the block as HTML"
      submitLabel="Save block"
      onSubmit={() => onSave(source.trim())}
      onCancel={onCancel}
    >
      <TextAreaField
        label="HTML"
        className="source-text"
        value={source}
        rows={10}
        spellCheck={false}
        onChange={(event) => setSource(event.target.value)}
        hint="What a post may not hold is taken out when it is saved. Empty takes the block away."
      />
    </EditorDialog>
  );
}
