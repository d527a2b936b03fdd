import { renderCard, toCardData, type CardData } from './ghost-cards.js';
import { escapeHtml } from '../html-text.js';
import { RefusedError } from '../import.errors.js';

const tags = /^(?:p|h[1-6]|blockquote|aside|ul|ol|a|strong|b|em|i|code|s|del|u|sub|sup|mark)$/;
const sectionTags: ReadonlyMap<string, string> = new Map([['aside', 'blockquote']]);

/**
 * A text of Ghost's former editor (mobiledoc 0.3) as HTML that nobody has checked. Cards that cannot be shown are noted.
 * @throws RefusedError when it is no such text
 */
export function mobiledocToHtml(value: unknown, warnings: string[]): string {
  const document = toCardData(value);
  const sections = listIn(document, 'sections');
  if (sections === null) throw new RefusedError(['mobiledoc has no text in it, and there is no html']);
  return sections.map((section) => renderSection(document, toList(section), warnings)).join('\n');
}

/** [1, tag, markers], [2, address], [3, tag, items of markers] or [10, number of a card]. */
function renderSection(document: CardData, [kind, what, parts]: unknown[], warnings: string[]): string {
  if (kind === 2) return `<figure><img src="${escapeHtml(String(what))}" alt=""></figure>`;
  if (kind === 10) {
    const [name, payload] = toList(listIn(document, 'cards')?.[Number(what)]);
    return renderCard(String(name), toCardData(payload), warnings);
  }
  const tag = typeof what === 'string' && tags.test(what) ? (sectionTags.get(what) ?? what) : 'p';
  if (kind === 3) {
    const items = toList(parts).map((item) => `<li>${renderMarkers(document, toList(item))}</li>`);
    return `<${tag}>${items.join('')}</${tag}>`;
  }
  if (kind === 1) return `<${tag}>${renderMarkers(document, toList(parts))}</${tag}>`;
  warnings.push(`a section of the kind '${String(kind).slice(0, 50)}' is not known and was left out`);
  return '';
}

/** [0 for text or 1 for an atom, markups that open, how many close after it, the text or the number of the atom]. */
function renderMarkers(document: CardData, markers: readonly unknown[]): string {
  const open: string[] = [];
  let html = '';
  for (const marker of markers) {
    const [kind, opening, closing, value] = toList(marker);
    for (const index of toList(opening)) html += openMarkup(toList(listIn(document, 'markups')?.[Number(index)]), open);
    html +=
      kind === 1
        ? renderAtom(toList(listIn(document, 'atoms')?.[Number(value)]))
        : escapeHtml(typeof value === 'string' ? value : '');
    for (let count = Number(closing) || 0; count > 0 && open.length > 0; count -= 1) html += `</${open.pop() ?? ''}>`;
  }
  return (
    html +
    open
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('')
  );
}

function openMarkup([name, attributes]: unknown[], open: string[]): string {
  const tag = typeof name === 'string' && tags.test(name) ? name : 'span';
  open.push(tag);
  const pairs = toList(attributes);
  const at = pairs.indexOf('href');
  return tag === 'a' && at >= 0 ? `<a href="${escapeHtml(String(pairs[at + 1]))}">` : `<${tag}>`;
}

function renderAtom([name, words]: unknown[]): string {
  return name === 'soft-return' ? '<br>' : escapeHtml(typeof words === 'string' ? words : '');
}

function listIn(document: CardData, name: string): unknown[] | null {
  const value = document.get(name);
  return Array.isArray(value) ? (value as unknown[]) : null;
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
