import { specOf, type PostField, type PostFieldSpec } from './post-fields.js';

/**
 * A class whose properties are fields of a post, each with the decorators that its entry asks for. Contracts that have
 * such fields extend it; of several validators of a field the first is told first.
 * @typeParam T the properties, which are declared only
 * @param Base a class that has the rest of them
 */
export function classOfFields<T extends object>(
  names: readonly PostField[],
  decoratorsOf: (spec: PostFieldSpec, name: PostField) => readonly PropertyDecorator[],
  Base: new () => object = Object,
): new () => T {
  class Fields extends Base {}
  for (const name of names) {
    for (const decorate of decoratorsOf(specOf(name), name)) decorate(Fields.prototype, name);
  }
  return Fields as new () => T;
}
