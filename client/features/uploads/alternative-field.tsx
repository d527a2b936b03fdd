import { useId, useState } from 'react';
import { InputField } from '../../components/field.js';

interface AlternativeFieldProps {
  /** Empty when the image is decorative, null when nobody has said yet. */
  readonly alt: string | null;
  readonly error: string | undefined;
  readonly onChange: (alt: string | null) => void;
}

/** Asks for a description of an image, for people who do not see it, or if it is decoration only. */
export function AlternativeField({ alt, error, onChange }: AlternativeFieldProps) {
  const id = useId();
  // The description comes back if the box was ticked by mistake.
  const [written, setWritten] = useState(alt ?? '');
  const isDecorative = alt === '';
  const handleText = (text: string) => {
    setWritten(text);
    onChange(text === '' ? null : text);
  };
  return (
    <div className="alternative">
      <InputField
        label="Alternative text"
        hint="What the image shows, for people who do not see it. Needed before publishing."
        error={error}
        value={alt ?? ''}
        disabled={isDecorative}
        onChange={({ target }) => handleText(target.value)}
      />
      <label className="check" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={isDecorative}
          onChange={({ target }) => onChange(target.checked ? '' : written || null)}
        />
        <span>Decorative: it says nothing that the text does not say</span>
      </label>
    </div>
  );
}
