import { useState } from 'react';
import { MAX_FORMULA, renderFormula } from '../../../../../src/shared/render-formula.js';
import { TextAreaField } from '../../../../components/field.js';
import { parseHtml } from '../../../../lib/parse-html.js';
import { EditorDialog } from './editor-dialog.js';

interface FormulaDialogProps {
  readonly formula: string;
  readonly onSave: (source: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the TeX source of a formula and draws it meanwhile. */
export function FormulaDialog({ formula, onSave, onCancel }: FormulaDialogProps) {
  const [source, setSource] = useState(formula);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const tidy = source.replace(/\s+/g, ' ').trim();
  const { html, error } = tidy === '' ? { html: null, error: 'Formula is required' } : renderFormula(tidy);

  const handleSubmit = () => {
    setWasSubmitted(true);
    if (error === null) onSave(tidy);
  };
  return (
    <EditorDialog
      title={formula === '' ? 'Add a formula' : 'Edit the formula'}
      submitLabel="Save formula"
      onSubmit={handleSubmit}
      onCancel={onCancel}
    >
      <TextAreaField
        label="Formula in TeX"
        value={source}
        rows={3}
        maxLength={MAX_FORMULA}
        spellCheck={false}
        onChange={(event) => setSource(event.target.value)}
        error={error !== null && (wasSubmitted || tidy !== '') ? error : undefined}
        hint="For example E = mc^2 or \frac{a}{b}"
      />
      {html === null ? null : (
        <div className="formula-preview" ref={(place) => place?.replaceChildren(parseHtml(html))} />
      )}
    </EditorDialog>
  );
}
