import { factSpec, type CompanyFact } from '../../../src/shared/contracts/company-facts.js';
import { findPictureProblem } from '../../../src/shared/contracts/company-input.js';
import { companyMessages as messages } from '../../content/company.js';
import { hintOf, textOf, type FactForm, type PictureInput } from './fact-form.js';

interface PictureFieldProps {
  readonly name: CompanyFact;
  readonly form: FactForm;
  readonly ImageField: PictureInput;
}

/** A picture of the company, uploaded or chosen from the library. What cannot stand there is said before it is saved. */
export function PictureField({ name, form, ImageField }: PictureFieldProps) {
  const { label } = factSpec(name);
  const address = textOf(form, name);
  const problem = address === '' ? null : findPictureProblem(label, address);
  const words = hintOf(form, name);
  return (
    <div className="settings-picture" data-ground={name === 'logo_dark' ? 'dark' : 'light'}>
      <ImageField
        name={name}
        label={label}
        hint={`${words}${words.endsWith('.') ? '' : '.'} ${messages.pictureFormats}`}
        error={form.problems[name] ?? problem ?? undefined}
        value={{ url: address, alt: null }}
        isDescribed={false}
        onChange={({ url }) => form.set(name, url === '' ? null : url)}
      />
    </div>
  );
}
