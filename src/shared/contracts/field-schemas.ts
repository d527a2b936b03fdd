import { Documented, type PropertySchema } from './documented.js';
import type { PostFieldSpec } from './post-fields.js';

// No compiler sees the fields of a post in the classes that derive from their registry: these decorators document them.

/** Documents a field as it is presented. */
export function presentedField(spec: PostFieldSpec): PropertyDecorator[] {
  const type: PropertySchema =
    spec.kind === 'words' ? { type: 'array', items: { type: 'string' } } : { type: 'string' };
  return [Documented({ ...type, ...descriptionOf(spec), ...(spec.isRequired ? {} : { nullable: true }) })];
}

/** Documents a field as the form of the editor holds it. */
export function formField(spec: PostFieldSpec): PropertyDecorator[] {
  return [Documented(formSchema(spec))];
}

/** Documents a field as the form of the editor holds it, in a form that need not have all fields. */
export function optionalFormField(spec: PostFieldSpec): PropertyDecorator[] {
  return [Documented({ ...formSchema(spec), required: false })];
}

/** Documents a field as it is handed in. */
export function inputField(spec: PostFieldSpec): PropertyDecorator {
  return Documented({
    ...(spec.kind === 'words' ? WORDS_INPUT : { type: 'string' }),
    ...(spec.kind === 'words' || spec.description === undefined ? {} : { description: spec.description }),
    ...(spec.limit === undefined || spec.kind === 'words' ? {} : { maxLength: spec.limit }),
    ...(spec.isRequired ? {} : { required: false, nullable: true }),
  });
}

const WORDS_INPUT: PropertySchema = {
  oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
  description: 'A list, or separated by commas.',
};

function formSchema(spec: PostFieldSpec): PropertySchema {
  return {
    type: 'string',
    ...descriptionOf(spec),
    ...(spec.kind === 'words' ? { description: 'Separated by commas.' } : {}),
    ...(spec.isEmptyMeaningful ? { nullable: true } : {}),
  };
}

function descriptionOf({ description }: PostFieldSpec): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
