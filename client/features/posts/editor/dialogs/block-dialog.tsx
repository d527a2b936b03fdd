import { useRef } from 'react';
import { Button } from '../../../../components/button.js';
import { EditorDialog } from './editor-dialog.js';
import { HtmlField, type HtmlFieldHandle } from './html-field.js';

interface BlockDialogProps {
  readonly html: string;
  readonly onSave: (html: string) => void;
  readonly onCancel: () => void;
}

/** Edits a block that the editor has no lines for, such as a list of definitions. With nothing left, the block goes. */
export function BlockDialog({ html, onSave, onCancel }: BlockDialogProps) {
  const field = useRef<HtmlFieldHandle>(null);
  const remove = (
    <Button kind="line" isSmall onClick={() => onSave('')}>
      Delete block
    </Button>
  );
  return (
    <EditorDialog
      title="Edit the block"
      submitLabel="Save block"
      onSubmit={() => onSave(field.current?.read() ?? html)}
      onCancel={onCancel}
      extra={remove}
    >
      <HtmlField ref={field} label="Text" html={html} hint="The block keeps its shape: its words can be changed." />
    </EditorDialog>
  );
}
