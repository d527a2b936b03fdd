import type { ComponentType } from 'react';
import { companyFacts, factSpec, type CompanyFact } from '../../../src/shared/contracts/company-facts.js';
import type { SettingSource } from '../../../src/shared/contracts/settings.js';
import { companyMessages as messages, describeFact } from '../../content/company.js';

/** The part of the form of settings that the fields of the company need. */
export interface FactForm {
  readonly values: Readonly<Record<string, unknown>>;
  readonly changed: readonly string[];
  readonly problems: Readonly<Record<string, string>>;
  readonly view: { readonly values: Readonly<Record<string, unknown>>; readonly unconfirmed: readonly string[] };
  sourceOf(name: string): SettingSource;
  set(name: string, value: unknown): void;
  confirm(name: string): void;
  isConfirmed(name: string): boolean;
  isAsItCame(name: string): boolean;
}

/** The field of a picture, which the page hands in: features do not import each other. */
export type PictureInput = ComponentType<{
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: ImageValue;
  readonly isDescribed: boolean;
  readonly onChange: (value: ImageValue) => void;
}>;

interface ImageValue {
  /** Empty without an image. */
  readonly url: string;
  readonly alt: string | null;
}

/** Returns true for a fact that its variable says, whatever is written here. */
export function isLocked(form: FactForm, name: CompanyFact): boolean {
  return form.sourceOf(name) === 'locked';
}

/** Says what to know of a fact: why it cannot be changed, what pages show of it, or what it is. */
export function hintOf(form: FactForm, name: CompanyFact): string {
  if (isLocked(form, name)) return messages.locked(companyFacts[name].variable ?? '');
  if (form.changed.includes(name) && !form.isConfirmed(name))
    return messages.onPages(describeFact(form.view.values[name], name));
  const { description, hint } = factSpec(name);
  if (hint !== undefined) return hint;
  return description === 'as above' ? '' : toSentence(description);
}

/** The text of a fact for an input. */
export function textOf(form: FactForm, name: CompanyFact): string {
  const value = form.values[name];
  return typeof value === 'string' ? value : '';
}

/** Leaves out what is said to operators: people who fill this in have no variables. */
function toSentence(description: string): string {
  const words = description
    .split('; ')
    .filter((part) => !part.includes('variable'))
    .join('; ')
    .replace('if unset', 'if empty');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
