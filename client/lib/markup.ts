/** HTML whose values are escaped; made by {@link markup} only. A class, so that no data can pass for it. */
class EscapedMarkup {
  constructor(readonly html: string) {}
}

export type Markup = EscapedMarkup;

type MarkupValue = string | number | Markup | readonly Markup[] | null;

const SPECIAL = /["&'<>]/;
const escapes: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Most texts hold nothing to escape, and looking costs less than replacing. */
function escape(text: string): string {
  return SPECIAL.test(text) ? text.replace(/["&'<>]/g, (character) => escapes[character] ?? '') : text;
}

function write(value: MarkupValue | undefined): string {
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return '';
  return value instanceof EscapedMarkup ? value.html : joinMarkup(value).html;
}

/** The literal parts of each template, without the line breaks and indents that only its readers need. */
const literals = new WeakMap<TemplateStringsArray, readonly string[]>();

function literalsOf(strings: TemplateStringsArray): readonly string[] {
  const known = literals.get(strings);
  if (known) return known;
  const parts = strings.map((part) => part.replace(/\n\s*/g, ''));
  literals.set(strings, parts);
  return parts;
}

/**
 * A template for HTML that comes hundreds of times on a page, where an element of React for each tag costs too much
 * (decision 28). Values stand between tags or inside quoted attributes, and are escaped unless they are markup
 * themselves; null leaves its place empty.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const parts = literalsOf(strings);
  let html = parts[0] ?? '';
  for (let index = 0; index < values.length; index += 1) html += write(values[index]) + (parts[index + 1] ?? '');
  return new EscapedMarkup(html);
}

/** Joins pieces of markup into one text; a chain of `+` would be joined again by every reader. */
export function joinMarkup(pieces: readonly Markup[]): Markup {
  return new EscapedMarkup(pieces.map(write).join(''));
}
