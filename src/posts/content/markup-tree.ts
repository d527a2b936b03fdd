/** An attribute that passed the rules: name and plain (unescaped) value. */
export type Attribute = readonly [name: string, value: string];

/** An element of the clean tree. Only names of the allow-list ever get here. */
export interface MarkupElement {
  readonly tag: string;
  attributes: readonly Attribute[];
  children: MarkupNode[];
}

/** Text or an element; text is plain, not escaped. */
export type MarkupNode = string | MarkupElement;

const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'track']);
/** Elements between whose children a browser shows no blank space: blanks there become at most one line break. */
const blankInsensitiveTags: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr']);

/** A new element without children. */
export function createElement(tag: string, attributes: readonly Attribute[] = []): MarkupElement {
  return { tag, attributes, children: [] };
}

/** Returns true for a text of blanks that HTML collapses (a no-break space is not one). */
export function isBlank(text: string): boolean {
  return /^[ \t\n\f\r]*$/.test(text);
}

/** Returns true for an element without elements and without text other than blanks. */
export function hasNoContent(element: MarkupElement): boolean {
  return element.children.every((child) => typeof child === 'string' && isBlank(child));
}

/** The elements among the children. */
export function childElements(element: MarkupElement): MarkupElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}

/** Levels of elements below and including this one. */
export function heightOf(element: MarkupElement): number {
  // One by one: an element may hold more than a function can be given.
  return 1 + childElements(element).reduce((height, child) => Math.max(height, heightOf(child)), 0);
}

/** Writes children as HTML. The tree's depth is bounded by its builder, so recursion is safe. */
export function serializeChildren(parent: MarkupElement, isBlankSensitive: boolean): string {
  let html = '';
  let isAfterBlank = false;
  for (const child of parent.children) {
    if (typeof child !== 'string') {
      html += serializeElement(child);
      isAfterBlank = false;
    } else if (isBlankSensitive || !isBlank(child)) {
      html += escapeText(child);
    } else if (!isAfterBlank) {
      html += '\n';
      isAfterBlank = true;
    }
  }
  return html;
}

/** Writes an element with all that is in it. */
export function serializeElement(element: MarkupElement): string {
  const start = serializeStart(element);
  if (voidTags.has(element.tag)) return start;
  return `${start}${serializeChildren(element, !blankInsensitiveTags.has(element.tag))}</${element.tag}>`;
}

/** The start tag of an element. */
export function serializeStart({ tag, attributes }: MarkupElement): string {
  return `<${tag}${attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('')}>`;
}

/** Escapes text for HTML; no-break spaces become visible as `&nbsp;`. */
export function escapeText(text: string): string {
  if (!/[&<>\u00a0]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;');
}

/** Escapes a value for a double-quoted attribute; `<` and `>` too, so that no parser ever sees a tag in it. */
export function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;');
}

/** Undoes {@link escapeText} and {@link escapeAttribute}. */
export function unescapeMarkup(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&');
}
