import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { classOfFields } from '../shared/contracts/field-class.js';
import type { PostField, PostFieldSpec } from '../shared/contracts/post-fields.js';

/** A class that documents fields of a post as they are presented. */
export function presentedFields<T extends object>(names: readonly PostField[]): new () => T {
  return classOfFields<T>(names, (spec) => [ApiProperty({ ...presentedType(spec), ...descriptionOf(spec) })]);
}

/** A class that documents fields of a post as the form of the editor holds them. */
export function formFields<T extends object>(
  names: readonly PostField[],
  options: ApiPropertyOptions = {},
): new () => T {
  return classOfFields<T>(names, (spec) => [
    ApiProperty({
      type: String,
      ...descriptionOf(spec),
      ...(spec.kind === 'words' ? { description: 'separated by commas' } : {}),
      ...(spec.isEmptyMeaningful ? { nullable: true } : {}),
      ...options,
    }),
  ]);
}

/** A class that documents fields of a post as they are handed in. */
export function inputFields<T extends object>(names: readonly PostField[]): new () => T {
  return classOfFields<T>(names, (spec) => [
    ApiProperty({
      ...(spec.kind === 'words' ? WORDS_INPUT : { type: String }),
      ...descriptionOf(spec),
      ...(spec.limit === undefined || spec.kind === 'words' ? {} : { maxLength: spec.limit }),
      ...(spec.isRequired ? {} : { required: false, nullable: true }),
    }),
  ]);
}

const WORDS_INPUT = {
  // Nothing can be read from a property that is declared only.
  type: Object,
  oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
  description: 'a list, or separated by commas',
};

function presentedType({ kind, isRequired }: PostFieldSpec): ApiPropertyOptions {
  return { type: kind === 'words' ? [String] : String, ...(isRequired ? {} : { nullable: true }) };
}

function descriptionOf({ description }: PostFieldSpec): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
