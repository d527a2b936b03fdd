import { Parser } from 'htmlparser2';
import { bookmarkHtml, calloutHtml, fileHtml, starsHtml, toggleHtml } from './ghost-boxes.js';
import { noteOldSite } from './ghost-cards.js';

/** The parts of a card by their classes, as HTML. */
type Parts = ReadonlyMap<string, string>;

interface OpenElement {
  readonly classes: readonly string[];
  /** The place behind its tag. */
  readonly inside: number;
}

interface OpenCard {
  readonly kind: string;
  readonly start: number;
  /** How many elements are open around it. */
  readonly depth: number;
  readonly parts: Map<string, string>;
  /** The first address that it links to. */
  link: string;
  thumbnail: string;
}

/** Stars are drawings, of which nothing is left. */
const rating = /<div class="kg-product-card-rating">((?:(?!<\/?div)[^]){0,10000})<\/div>/g;
const givenStar = 'kg-product-card-rating-active';
const card = /(?:^|\s)kg-(callout|toggle|bookmark|file|signup)-card(?:\s|$)/;

/**
 * Cards in the HTML of a post, which are boxes of elements that only the styles of a theme make something of, as what the same cards
 * become where there is no HTML of them. A form for new members goes with the words that it shows once it was sent.
 */
export function replaceHtmlCards(written: string, warnings: string[]): string {
  const html = written.replace(rating, (_box, stars: string) => starsHtml(stars.split(givenStar).length - 1));
  if (!/kg-(?:callout|toggle|bookmark|file|signup)-card/.test(html)) return html;
  const open: OpenElement[] = [];
  let current: OpenCard | undefined;
  let replaced = '';
  let at = 0;
  const parser = new Parser({
    onopentag(_name, attributes) {
      const classes = (attributes['class'] ?? '').split(/\s+/);
      const kind = card.exec(attributes['class'] ?? '')?.[1];
      if (current === undefined && kind !== undefined && classes.includes('kg-card'))
        current = { kind, start: parser.startIndex, depth: open.length, parts: new Map(), link: '', thumbnail: '' };
      else if (current !== undefined) readInside(current, attributes, open);
      open.push({ classes, inside: parser.endIndex + 1 });
    },
    onclosetag(_name, isImplied) {
      const element = open.pop();
      if (current === undefined || element === undefined) return;
      for (const name of element.classes) {
        if (!current.parts.has(name)) current.parts.set(name, html.slice(element.inside, parser.startIndex).trim());
      }
      if (open.length > current.depth) return;
      // One that never ends is left to be read as any other text.
      if (!isImplied) {
        replaced += html.slice(at, current.start) + render(current, warnings);
        at = parser.endIndex + 1;
      }
      current = undefined;
    },
  });
  parser.end(html);
  return replaced + html.slice(at);
}

function readInside(
  current: OpenCard,
  attributes: Readonly<Record<string, string>>,
  open: readonly OpenElement[],
): void {
  const isThumbnail = open.some(({ classes }) => classes.includes('kg-bookmark-thumbnail'));
  if (current.link === '') current.link = attributes['href'] ?? '';
  if (isThumbnail && current.thumbnail === '') current.thumbnail = attributes['src'] ?? '';
}

function render({ kind, parts, link, thumbnail }: OpenCard, warnings: string[]): string {
  const of = (name: string) => parts.get(`kg-${name}`) ?? '';
  if (kind === 'callout') return calloutHtml(of('callout-emoji'), of('callout-text'));
  if (kind === 'toggle') return toggleHtml(of('toggle-heading-text'), of('toggle-content'));
  if (kind === 'signup') {
    noteOldSite(kind, warnings);
    return '';
  }
  if (kind === 'file') {
    const about = joined([of('file-card-filename'), of('file-card-filesize')]);
    return fileHtml({ link, title: of('file-card-title') || about, caption: of('file-card-caption'), about });
  }
  return bookmarkHtml({
    link,
    thumbnail,
    title: of('bookmark-title'),
    description: of('bookmark-description'),
    source: joined([of('bookmark-author'), of('bookmark-publisher')]),
    caption: captionIn(parts),
  });
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ');
}

function captionIn(parts: Parts): string {
  const whole = parts.get('kg-bookmark-card') ?? '';
  return /<figcaption>([^]*)<\/figcaption>$/.exec(whole)?.[1] ?? '';
}
