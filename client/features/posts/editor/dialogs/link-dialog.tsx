import { useState } from 'react';
import { Button } from '../../../../components/button.js';
import { InputField } from '../../../../components/field.js';
import type { LinkTarget } from '../html/values.js';
import { describeAddress, toLinkAddress } from '../link-address.js';

import { EditorDialog } from './editor-dialog.js';

interface LinkDialogProps {
  /** The link that is edited; null for a new one. */
  readonly link: LinkTarget | null;
  /** True when the dialog asks for the words of the link, because nothing is selected. */
  readonly asksText: boolean;
  readonly onSave: (link: LinkTarget, text: string) => void;
  readonly onRemove: () => void;
  readonly onCancel: () => void;
}

/** Asks where a link leads. */
export function LinkDialog({ link, asksText, onSave, onRemove, onCancel }: LinkDialogProps) {
  const [written, setWritten] = useState(link?.href ?? '');
  const [text, setText] = useState('');
  const [opensWindow, setOpensWindow] = useState(link?.opensWindow ?? false);
  const [isMissing, setIsMissing] = useState(false);
  const address = toLinkAddress(written);

  const handleSubmit = () => {
    setIsMissing(address === '');
    if (address !== '') onSave({ href: address, title: link?.title ?? '', opensWindow }, text.trim());
  };
  const remove = (
    <Button kind="line" isSmall onClick={onRemove}>
      Remove link
    </Button>
  );
  return (
    <EditorDialog
      title={link === null ? 'Add a link' : 'Edit the link'}
      submitLabel="Save link"
      onSubmit={handleSubmit}
      onCancel={onCancel}
      extra={link === null ? null : remove}
    >
      <InputField
        label="Address"
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        error={isMissing && address === '' ? 'Address is required' : undefined}
        hint={describeAddress(written) ?? 'A web page, an email address or a phone number'}
      />
      {asksText ? (
        <InputField
          label="Text"
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint="The address itself when empty"
        />
      ) : null}
      <label className="check">
        <input type="checkbox" checked={opensWindow} onChange={(event) => setOpensWindow(event.target.checked)} />
        Open in a new tab
      </label>
    </EditorDialog>
  );
}
