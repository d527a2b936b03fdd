// The rules of single variables, for the groups of environment.ts.
import { z } from 'zod';

export const optionalText = z.string().trim().min(1).optional();
export const text = (fallback: string) => z.string().trim().min(1).default(fallback);
export const wholeNumber = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
/** A whole number, or the word auto. */
export const countOrAuto = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}, or auto`;
  const isCount = (value: string) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  return z
    .string()
    .trim()
    .refine((value) => value === 'auto' || isCount(value), { error })
    .default(String(fallback))
    .transform((value) => (value === 'auto' ? value : Number(value)));
};
export const oneOf = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` });
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => value.replace(/\/+$/, ''));
/** An http or https address that is compared to the letter, so that no slash at its end is taken away. */
export const exactUrl = z
  .string()
  .trim()
  .refine((value) => URL.canParse(value) && /^https?:\/\/[^?#]+$/.test(value), 'must be an http or https address');
export const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles');

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export function isDatabaseUrl(value: string): boolean {
  return value === 'embedded' || isPostgresUrl(value);
}

export function isPostgresUrl(value: string): boolean {
  return /^postgres(ql)?:\/\/./.test(value);
}
