import type { ChangeEvent } from 'react';
import { factSpec, type CompanyFact, type CompanyFactSpec } from '../../../src/shared/contracts/company-facts.js';
import { Button } from '../../components/button.js';
import { InputField, TextAreaField } from '../../components/field.js';
import { SwitchField } from '../../components/switch-field.js';
import { companyMessages as messages } from '../../content/company.js';
import { AccentField } from './accent-field.js';
import { hintOf, isLocked, textOf, type FactForm, type PictureInput } from './fact-form.js';
import { PictureField } from './picture-field.js';

/** Longer texts have several lines. */
const LINE_LIMIT = 200;

const INPUT_TYPES: { readonly [Kind in CompanyFactSpec['kind']]?: string } = {
  phone: 'tel',
  email: 'email',
  address: 'url',
};

interface CompanyFieldProps {
  readonly name: CompanyFact;
  readonly form: FactForm;
  readonly ImageField: PictureInput;
}

/** The field of a fact, and a button that says that it is right where nobody has said it. */
export function CompanyField(props: CompanyFieldProps) {
  const { name, form } = props;
  if (!form.view.unconfirmed.includes(name)) return <FactField {...props} />;
  // The field stays the same element while it is typed in.
  return (
    <div className="settings-unsaid">
      <FactField {...props} />
      {form.isAsItCame(name) ? (
        <div className="row">
          <Button kind="line" isSmall aria-pressed={form.isConfirmed(name)} onClick={() => form.confirm(name)}>
            {messages.confirm}
            <span className="visually-hidden">: {factSpec(name).label}</span>
          </Button>
          <span className="quiet small">{form.isConfirmed(name) ? messages.confirmed : messages.unsaid}</span>
        </div>
      ) : null}
    </div>
  );
}

/** The field alone, as its kind asks for. */
function FactField({ name, form, ImageField }: CompanyFieldProps) {
  const { kind, label, limit = LINE_LIMIT, fallback } = factSpec(name);
  const hint = hintOf(form, name);
  if (kind === 'switch') {
    return (
      <SwitchField
        label={label}
        name={name}
        isOn={form.values[name] === true}
        isDisabled={isLocked(form, name)}
        hint={hint}
        onChange={(isOn) => form.set(name, isOn)}
      />
    );
  }
  if (kind === 'accent') return <AccentField name={name} form={form} />;
  if (kind === 'picture') return <PictureField name={name} form={form} ImageField={ImageField} />;
  const shared = {
    name,
    label,
    hint,
    error: form.problems[name],
    value: textOf(form, name),
    readOnly: isLocked(form, name),
    required: fallback !== null && kind !== 'link',
    autoComplete: 'off',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => form.set(name, target.value),
  };
  if (kind === 'text' && limit > LINE_LIMIT) return <TextAreaField {...shared} rows={4} />;
  return <InputField {...shared} type={INPUT_TYPES[kind] ?? 'text'} />;
}
