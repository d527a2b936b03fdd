import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';

/**
 * Lets a property of a body be left out. Programs send null for what they do not have: it is the same here, as
 * `IsOptional` lets it pass all rules, and a default of the code behind stands in for what is absent alone.
 */
export function MayBeLeftOut(): PropertyDecorator {
  const decorators = [IsOptional(), Transform(({ value }: { value: unknown }) => value ?? undefined)];
  return (prototype, name) => decorators.forEach((decorate) => decorate(prototype, name));
}
