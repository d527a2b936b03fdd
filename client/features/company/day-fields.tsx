import { factSpec, type CompanyFact } from '../../../src/shared/contracts/company-facts.js';
import { toHoursInWords, type WeekHours } from '../../../src/shared/contracts/day-hours.js';
import { Button } from '../../components/button.js';
import { InputField } from '../../components/field.js';
import { companyMessages as messages } from '../../content/company.js';
import { isLocked, textOf, type FactForm } from './fact-form.js';

interface DayFieldsProps {
  readonly names: readonly CompanyFact[];
  readonly form: FactForm;
}

/** The hours of the week, a line for each day: typed once, and taken over for the days that follow with a key each. */
export function DayFields({ names, form }: DayFieldsProps) {
  const words = toHoursInWords(form.values as unknown as WeekHours);
  return (
    <>
      <p className="field-hint">
        As 8-17, 8am-5pm or 08:00-12:00, 13:00-17:30. An empty day says nothing; days that say something take the place
        of the hours in words.
      </p>
      <ul role="list" className="settings-days">
        {names.map((name, index) => (
          <li key={name}>
            <DayField name={name} former={names[index - 1]} form={form} />
          </li>
        ))}
      </ul>
      <p className="field-hint" role="status">
        {words === '' ? messages.noDays : messages.daysRead(words)}
      </p>
    </>
  );
}

interface DayFieldProps {
  readonly name: CompanyFact;
  readonly former: CompanyFact | undefined;
  readonly form: FactForm;
}

function DayField({ name, former, form }: DayFieldProps) {
  const { label } = factSpec(name);
  const value = textOf(form, name);
  return (
    <>
      <InputField
        name={name}
        label={label}
        error={form.problems[name]}
        value={value}
        readOnly={isLocked(form, name)}
        autoComplete="off"
        onChange={({ target }) => form.set(name, target.value)}
      />
      <div className="row-actions">
        {former === undefined ? null : (
          <Button
            kind="line"
            isSmall
            aria-disabled={value === textOf(form, former)}
            onClick={() => form.set(name, textOf(form, former))}
          >
            {messages.sameAs(factSpec(former).label)}
            <span className="visually-hidden"> for {label}</span>
          </Button>
        )}
        <Button kind="line" isSmall aria-disabled={value === 'closed'} onClick={() => form.set(name, 'closed')}>
          {messages.closed}
          <span className="visually-hidden"> on {label}</span>
        </Button>
      </div>
    </>
  );
}
