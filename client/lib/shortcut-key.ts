/** Signs of shortcuts whose keys have letters in other scripts. */
const SIGNS: Readonly<Record<string, string>> = { BracketLeft: '[', BracketRight: ']' };

/**
 * Returns the key of a shortcut in lower case. On a keyboard of another script it is what a Latin one has in that place: `s`
 * for `ы`. Letters of Latin keyboards stay what they are, wherever their key is.
 */
export function shortcutKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isOfOtherScript = /^[^\p{ASCII}\p{Script=Latin}]+$/u.test(key);
  const latin = isOfOtherScript ? (SIGNS[code] ?? /^Key([A-Z])$/.exec(code)?.[1]) : undefined;
  return (latin ?? key).toLowerCase();
}
