import { isDifferent } from '../../../src/shared/contracts/page-texts/differences.js';
import type { PageFields as Fields } from '../../../src/shared/contracts/page-texts/fields.js';
import { placeholdersFor, textsOf, type EditedPage } from '../../../src/shared/contracts/page-texts/page-texts.js';
import { cleanValue, findTextProblems } from '../../../src/shared/contracts/page-texts/text-input.js';
import { Button } from '../../components/button.js';
import { Disclosure } from '../../components/disclosure.js';
import { TextField, type Faults } from './text-field.js';
import type { TextForm } from './text-form.js';

interface PageFieldsProps {
  readonly page: EditedPage;
  readonly form: TextForm;
}

/** Every text and list of a page, in its order: a field that is added to the model appears by itself. */
export function PageFields({ page, form }: PageFieldsProps) {
  const { fields } = textsOf(page);
  const faults = findFaults(page, fields, form);
  const others = Object.entries(fields).filter(([name, { fallback }]) =>
    isDifferent(form.values[`${page}.${name}`], fallback),
  );
  return (
    <div className="panel page-texts">
      <Placeholders page={page} fields={fields} />
      {Object.entries(fields).map(([field, spec]) => {
        const name = `${page}.${field}`;
        return (
          <div key={name} className="page-text">
            <TextField
              field={spec}
              path={name}
              value={form.values[name]}
              faults={faults}
              onChange={(value) => form.set(name, value)}
            />
            {isDifferent(form.values[name], spec.fallback) ? (
              <Button kind="line" isSmall className="btn-quiet" onClick={() => form.set(name, spec.fallback)}>
                As it came<span className="visually-hidden">: {spec.label}</span>
              </Button>
            ) : null}
          </div>
        );
      })}
      {others.length > 0 ? (
        <Button
          kind="line"
          isSmall
          onClick={() => others.forEach(([field, { fallback }]) => form.set(`${page}.${field}`, fallback))}
        >
          Whole page as it came
        </Button>
      ) : null}
    </div>
  );
}

/** Returns what the rules say of what stands in the form, which the server says as well; and what only the server can know. */
function findFaults(page: EditedPage, fields: Fields, form: TextForm): Faults {
  const problems = Object.entries(fields).flatMap(([field, spec]) => {
    const name = `${page}.${field}`;
    return form.changed.includes(name) ? findTextProblems(page, spec, cleanValue(spec, form.values[name]), name) : [];
  });
  return new Map([...Object.entries(form.problems), ...problems.map(({ path, message }) => [path, message] as const)]);
}

/** Lists what can be named in braces. */
function Placeholders({ page, fields }: { readonly page: EditedPage; readonly fields: Fields }) {
  const known = Object.assign({}, ...Object.values(fields).map((field) => placeholdersFor(page, field))) as Readonly<
    Record<string, string>
  >;
  return (
    <Disclosure summary="Facts that texts can name">
      <p>What stands in braces is replaced on the page, so that it is right everywhere when the fact changes.</p>
      <dl className="text-placeholders">
        {Object.entries(known).map(([name, words]) => (
          <div key={name}>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
