import { Transform } from 'class-transformer';

/** Takes a parameter of a query that is empty, or there twice, as one that was left out. */
export function OneText(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' && value !== '' ? value : undefined));
}
