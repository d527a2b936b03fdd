/** Returns a text without control sequences for terminals: strangers wrote it. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Returns such a text as a part of one line: what strangers wrote must not look like a line of its own. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\t\n\u2028\u2029]/g, ' ');
}
