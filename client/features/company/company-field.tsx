import type { ChangeEvent } from 'react';
import { factSpec, type CompanyFact, type CompanyFactSpec } from '../../../src/shared/contracts/company-facts.js';
import { InputField, TextAreaField } from '../../components/field.js';
import { SwitchField } from '../../components/switch-field.js';
import { AccentField } from './accent-field.js';
import { hintOf, isLocked, textOf, type FactForm } from './fact-form.js';

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
}

/** The field of a fact, as its kind asks for. */
export function CompanyField({ name, form }: CompanyFieldProps) {
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
