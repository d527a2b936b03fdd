/** Anything that could need work; nearly no text has any, and looking is much cheaper than replacing. */

const suspicious = /[\0-\x08\x0b-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]/;

/**
 * Takes out what neither HTML nor PostgreSQL can hold (control characters, halves of characters) and the invisible
 * marks that the editor puts around embeds.
 */
export function cleanCharacters(value: string): string {
  if (!suspicious.test(value)) return value;
  return replaceLoneSurrogates(value)
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff]/g, '');
}

/** One line of plain text of at most `limit` UTF-16 units. */
export function cleanLine(value: string, limit: number): string {
  const line = cleanCharacters(value).replace(/[ \t\n\f\r]+/g, ' ');
  return replaceLoneSurrogates(line.trim().slice(0, limit)).trim();
}

/** A half of a surrogate pair is no character: it could be neither stored nor sent. */
export function replaceLoneSurrogates(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd');
}
