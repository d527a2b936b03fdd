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
  .transform((value) => withPlainOrigin(value).replace(/\/+$/, ''));

/**
 * Scheme, host and port as browsers write them, who tell it to be compared: in small letters, a name in other letters in
 * its form of ASCII, and without the port that goes without saying.
 */
function withPlainOrigin(address: string): string {
  const { protocol, host } = new URL(address);
  return address.replace(/^[^:]*:\/\/([^/?#\\]*@)?[^/?#\\]*/, (_origin, user = '') => `${protocol}//${user}${host}`);
}

/** An http or https address that is compared to the letter, so that no slash at its end is taken away. */
export const exactUrl = z
  .string()
  .trim()
  .refine((value) => URL.canParse(value) && /^https?:\/\/[^?#]+$/.test(value), 'must be an http or https address');
export const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles');

/** Offsets such as +05:30 are refused: they know no summer time. */
function isTimeZone(value: string): boolean {
  if (/^[+-]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** The address of a database; `words` are values that are taken in its place. */
export const databaseUrl = (...words: readonly string[]) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      if (words.includes(value)) return;
      const others = words.map((word) => `, or ${word}`).join('');
      if (!/^postgres(ql)?:\/\/./.test(value)) {
        context.addIssue(`must be postgresql://user:password@host:port/name${others}`);
      } else if (!isReadable(value)) {
        context.addIssue(
          'cannot be read as postgresql://user:password@host:port/name; in user and password, / is written as %2F, ' +
            '? as %3F and # as %23',
        );
      } else if (!isDecodable(value)) {
        context.addIssue('has an escape that stands for no text; a % of the password itself is written as %25');
      }
    })
    .optional();

/** Without a host, the driver takes the socket that the query names, although that is no URL. */
function isReadable(address: string): boolean {
  return URL.canParse(withHost(address));
}

const withHost = (address: string) => address.replace('@/', '@localhost/');

/** A sign for the driver (pg-connection-string) that an address was written without escapes, and is to be escaped first. */
const UNESCAPED = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i;

/** The driver would fail at others, when it connects and without a word about whose fault it is. */
function isDecodable(address: string): boolean {
  try {
    const escaped = UNESCAPED.test(address) ? encodeURI(address).replace(/%25(\d\d)/g, '%$1') : address;
    const { username, password, hostname, pathname } = new URL(withHost(escaped));
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
