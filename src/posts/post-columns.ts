import { p } from '@mikro-orm/core';
import {
  fieldNames,
  mapFields,
  specOf,
  type PostField,
  type PostFieldSpec,
  type postFields,
} from '../shared/contracts/post-fields.js';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The property of a row that holds a field: `imageUrl` holds `image_url`. */
export type PropertyOf<Name extends PostField> = CamelCase<Name>;

const properties = mapFields<{ readonly [Name in PostField]: PropertyOf<Name> }>(fieldNames(), (name) =>
  name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
);

/** The property of a row that holds a field. */
export function propertyOf<Name extends PostField>(name: Name): PropertyOf<Name> {
  return properties[name];
}

/** The properties of a row that hold fields. */
export function propertiesOf<Name extends PostField>(names: readonly Name[]): PropertyOf<Name>[] {
  return names.map(propertyOf);
}

/** The properties of a row that hold names, whose characters are composed when they are written. */
export const nameProperties = propertiesOf(fieldNames(({ isName }) => isName === true));

const required = ({ column, limit = 0 }: PostFieldSpec) => (column === 'varchar' ? p.string().length(limit) : p.text());
const nullable = (spec: PostFieldSpec) => required(spec).nullable();
const words = () => p.array().nullable();

type ColumnOf<Spec> = Spec extends { readonly kind: 'words' }
  ? ReturnType<typeof words>
  : Spec extends { readonly isRequired: true }
    ? ReturnType<typeof required>
    : ReturnType<typeof nullable>;

type Columns = { readonly [Name in PostField as PropertyOf<Name>]: ColumnOf<(typeof postFields)[Name]> };

function columnOf(spec: PostFieldSpec) {
  if (spec.kind === 'words') return words();
  return spec.isRequired ? required(spec) : nullable(spec);
}

/** The columns of the fields, as the entity declares them: {@link postFields} in the words of the ORM. */
export const postColumns = Object.fromEntries(
  fieldNames().map((name) => [propertyOf(name), columnOf(specOf(name))]),
) as unknown as Columns;
