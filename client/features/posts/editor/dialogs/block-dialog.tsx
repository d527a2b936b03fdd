import { useRef } from 'react';
import { Button } from '../../../../components/button.js';
import { EditorDialog } from './editor-dialog.js';
import { leadToDefinition, withoutEmptyDefinitions } from './definitions.js';
import { HtmlField, type HtmlFieldHandle } from './html-field.js';

interface BlockDialogProps {
  readonly html: string;
  /** True for definitions that are not in the text yet. */
  readonly isNew?: boolean;
  readonly onSave: (html: string) => void;
  readonly onCancel: () => void;
}

/** Edits a block that the editor has no lines for, such as a list of definitions. With nothing left, the block goes. */
export function BlockDialog({ html, isNew = false, onSave, onCancel }: BlockDialogProps) {
  const field = useRef<HtmlFieldHandle>(null);
  const hasDefinitions = html.includes('<dl');
  const remove = (
    <Button kind="line" isSmall onClick={() => onSave('')}>
      Delete block
    </Button>
  );
  return (
    <EditorDialog
      title={isNew ? 'Add definitions' : 'Edit the block'}
      submitLabel={isNew ? 'Add definitions' : 'Save block'}
      onSubmit={() => onSave(withoutEmptyDefinitions(field.current?.read() ?? html))}
      onCancel={onCancel}
      extra={isNew ? null : remove}
    >
      <HtmlField
        ref={field}
        label={isNew ? 'Terms and definitions' : 'Text'}
        html={html}
        hint={
          hasDefinitions
            ? 'Enter leads from a term to its definition, and from there to the next term. Shift + Enter breaks the line.'
            : 'The block keeps its shape: its words can be changed.'
        }
        onEnter={leadToDefinition}
      />
    </EditorDialog>
  );
}
