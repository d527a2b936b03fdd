const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The texts that differ from this one in the last character only. */
export function withOtherEnds(text: string): string[] {
  return [...ALPHABET].map((last) => text.slice(0, -1) + last).filter((other) => other !== text);
}

/** Those of them that a decoder of base64url takes for the same bytes; there are none of a multiple of three bytes. */
export function respellings(text: string): string[] {
  const bytes = Buffer.from(text, 'base64url');
  return withOtherEnds(text).filter((other) => Buffer.from(other, 'base64url').equals(bytes));
}
