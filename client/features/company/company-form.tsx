import {
  companyFactNames,
  companyGroups,
  factSpec,
  type CompanyFact,
  type CompanyGroup,
} from '../../../src/shared/contracts/company-facts.js';
import { CompanyField } from './company-field.js';
import { DayFields } from './day-fields.js';
import type { FactForm, PictureInput } from './fact-form.js';

const GROUPS = Object.keys(companyGroups) as CompanyGroup[];

interface CompanyFormProps {
  readonly form: FactForm;
  readonly ImageField: PictureInput;
}

/** The facts of the company in their groups: a fact that is added to the list appears by itself. */
export function CompanyForm({ form, ImageField }: CompanyFormProps) {
  return GROUPS.map((group) => {
    const names = companyFactNames.filter((name) => factSpec(name).group === group);
    return (
      <fieldset key={group} className="panel settings-group">
        <legend>{companyGroups[group]}</legend>
        <div className="settings-fields">
          {names
            .filter((name) => !isDay(name))
            .map((name) => (
              <CompanyField key={name} name={name} form={form} ImageField={ImageField} />
            ))}
        </div>
        {names.some(isDay) ? <DayFields names={names.filter(isDay)} form={form} /> : null}
      </fieldset>
    );
  });
}

function isDay(name: CompanyFact): boolean {
  return factSpec(name).kind === 'day';
}
