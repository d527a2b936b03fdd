import { useId, useState } from 'react';
import type { PageField } from '../../../src/shared/contracts/page-texts/fields.js';
import { CURRENCY } from '../../../src/shared/contracts/page-texts/prices.js';
import { readPrice } from '../../../src/shared/contracts/page-texts/text-input.js';
import { glyphs, type GlyphName } from '../../../src/shared/glyphs.js';
import { InputField, TextAreaField } from '../../components/field.js';
import { Icon } from '../../components/icon.js';
import { ListEditor } from './list-editor.js';

/** The faults of what is typed, by their paths. */
export type Faults = ReadonlyMap<string, string>;

interface TextFieldProps {
  readonly field: PageField;
  /** The place of the value, such as `pricing.plans[1].price`. */
  readonly path: string;
  readonly value: unknown;
  readonly faults: Faults;
  readonly onChange: (value: unknown) => void;
}

/** The control of a field, whatever it is. A field of another kind is drawn here, and nowhere else. */
export function TextField({ field, path, value, faults, onChange }: TextFieldProps) {
  const frame = { label: field.label, hint: field.hint, error: faults.get(path), name: path };
  const text = toText(value);
  switch (field.kind) {
    case 'line':
      return (
        <InputField
          {...frame}
          value={text}
          required={!field.isOptional}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'text':
    case 'rich':
      return (
        <TextAreaField
          {...frame}
          hint={field.kind === 'rich' ? <RichHint hint={field.hint} /> : field.hint}
          value={text}
          required={!field.isOptional}
          rows={Math.min(Math.max(2, Math.ceil(text.length / 80) + text.split('\n').length - 1), 24)}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'price':
      return <PriceField {...frame} value={value} onChange={onChange} />;
    case 'glyph':
      return (
        <div className="choice-field">
          <SelectField
            {...frame}
            value={text}
            options={Object.fromEntries(Object.keys(glyphs).map((name) => [name, name]))}
            onChange={onChange}
          />
          {text in glyphs ? <Icon shape={glyphs[text as GlyphName]} isLarge /> : null}
        </div>
      );
    case 'choice':
      return <SelectField {...frame} value={text} options={field.options} onChange={onChange} />;
    case 'lines':
    case 'list':
      return <ListEditor field={field} path={path} value={value} faults={faults} onChange={onChange} />;
  }
}

function RichHint({ hint }: { readonly hint: string | undefined }) {
  return (
    <>
      {hint ? `${hint} ` : null}
      An empty line begins a paragraph, “- ” a line of a list. **bold**, [words](/contact) for a link.
    </>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

interface PriceFieldProps extends FrameProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** An amount. What is typed stays as it is typed for as long as it means the value: `9.0` is on its way to `9.05`. */
function PriceField({ label, value, onChange, ...frame }: PriceFieldProps) {
  const [typed, setTyped] = useState('');
  return (
    <InputField
      {...frame}
      label={`${label}, in ${CURRENCY.name}`}
      inputMode="decimal"
      value={readPrice(typed) === value ? typed : toText(value)}
      required
      onChange={({ target }) => {
        setTyped(target.value);
        // A number as soon as it is one; until then what was typed, which the rules refuse.
        onChange(readPrice(target.value));
      }}
    />
  );
}

interface FrameProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly name: string;
}

interface SelectFieldProps extends FrameProps {
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

function SelectField({ label, hint, error, name, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      {error ? <p className="field-error">{error}</p> : null}
      {hint ? <p className="field-hint">{hint}</p> : null}
    </div>
  );
}
