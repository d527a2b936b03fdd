import { gridFigure } from '../gallery.js';
import { readVideoAddress } from '../../shared/video-address.js';
import { bookmarkHtml, calloutHtml, fileHtml, paragraph, starsHtml, toggleHtml } from './ghost-boxes.js';
import { escapeHtml } from '../html-text.js';
import { USUAL_DIALECT } from '../../shared/markdown-extensions.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { linkTo, playerHtml, videoHtml, type PlayerKind } from '../media-links.js';

/** The data that Ghost's editor stores about a card. */
export type CardData = ReadonlyMap<string, unknown>;

type Render = (card: CardData) => string | null;

const dialect = { ...USUAL_DIALECT, hasDefinitions: false, isOfGhost: true };

const cards: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['image', (card) => figure(picture(card), card)],
  ['gallery', renderGallery],
  ['before-after', renderBeforeAfter],
  ['html', (card) => text(card, 'html')],
  ['markdown', (card) => markdownToHtml(text(card, 'markdown'), dialect)],
  ['card-markdown', (card) => markdownToHtml(text(card, 'markdown'), dialect)],
  ['code', renderCode],
  ['codeblock', renderCode],
  ['hr', () => '<hr>'],
  ['horizontalrule', () => '<hr>'],
  ['embed', renderEmbed],
  ['bookmark', renderBookmark],
  ['button', (card) => button(card, 'buttonUrl', 'buttonText')],
  ['callout', (card) => calloutHtml(escaped(card, 'calloutEmoji'), text(card, 'calloutText'))],
  ['toggle', (card) => toggleHtml(text(card, 'heading'), text(card, 'content'))],
  [
    'header',
    (card) =>
      imageOf(card, 'backgroundImageSrc') +
      `<h2>${text(card, 'heading') || text(card, 'header')}</h2>\n` +
      paragraph(text(card, 'subheading') || text(card, 'subheader')) +
      (isOn(card, 'buttonEnabled') ? (button(card, 'buttonUrl', 'buttonText') ?? '') : ''),
  ],
  ['product', renderProduct],
  ['audio', (card) => media('audio', card)],
  ['video', (card) => figure(media('video', card) ?? '', card)],
  ['file', renderFile],
  ['call-to-action', renderCallToAction],
]);

/** Parts of a page that make sense only where it came from. */
const ofTheOldSite = new Set(['paywall', 'signup', 'email', 'email-cta', 'transistor']);

/**
 * A card of Ghost's editors as HTML that nobody has checked; empty, and noted, for one that cannot be shown.
 * @param name what the editor calls it
 */
export function renderCard(name: string, card: CardData, warnings: string[]): string {
  if (isForSome(card)) {
    noteForSome(warnings);
    return '';
  }
  const html = cards.get(name)?.(card) ?? null;
  if (html !== null) return html;
  if (ofTheOldSite.has(name)) noteOldSite(name, warnings);
  else {
    const why = cards.has(name) ? 'shows nothing' : 'is not known';
    warnings.push(`a card of the kind '${name.slice(0, 50)}' ${why} and was left out`);
  }
  return '';
}

/** Says that a card makes sense only where it came from. */
export function noteOldSite(name: string, warnings: string[]): void {
  warnings.push(`a card of the kind '${name}' belongs to the old site and was left out`);
}

/** Returns true for a card that only members see there, or only those who read it as a mail. */
function isForSome(card: CardData): boolean {
  const visibility = toCardData(card.get('visibility'));
  return toCardData(visibility.get('web')).get('nonMember') === false || visibility.get('showOnWeb') === false;
}

const gateStart = /<!--\s{0,5}kg-gated-block:begin\s([^<>]{0,500}?)-->/g;
const gateEnd = /<!--\s{0,5}kg-gated-block:end\s{0,5}-->/g;

/** Leaves out of a text, as the old site shows it, what it does not show to everybody. */
export function withoutGatedBlocks(html: string, warnings: string[]): string {
  const [start, end] = [new RegExp(gateStart), new RegExp(gateEnd)];
  let shown = '';
  let at = 0;
  for (let match = start.exec(html); match !== null; match = start.exec(html)) {
    if (!/\bnonMember:\s?false\b/.test(match[1] ?? '')) continue;
    end.lastIndex = start.lastIndex;
    // One that never ends is shown there.
    if (end.exec(html) === null) break;
    shown += html.slice(at, match.index);
    at = start.lastIndex = end.lastIndex;
    noteForSome(warnings);
  }
  return shown + html.slice(at);
}

function noteForSome(warnings: string[]): void {
  const note = 'parts that are not for everybody there were left out';
  if (!warnings.includes(note)) warnings.push(note);
}

/** The values of an object; empty for anything else. */
export function toCardData(value: unknown): CardData {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** A text of a card, HTML in some; empty when there is none. */
export function text(card: CardData, name: string): string {
  const value = card.get(name);
  return typeof value === 'string' ? value : '';
}

function escaped(card: CardData, name: string): string {
  return escapeHtml(text(card, name));
}

function listOf(card: CardData, name: string): CardData[] {
  const value = card.get(name);
  return Array.isArray(value) ? value.map(toCardData) : [];
}

function picture(card: CardData): string {
  if (text(card, 'src') === '') return '';
  const image = `<img src="${escaped(card, 'src')}" alt="${escaped(card, 'alt')}">`;
  return text(card, 'href') === '' ? image : `<a href="${escaped(card, 'href')}">${image}</a>`;
}

function figure(inner: string, card: CardData): string | null {
  if (inner === '') return null;
  const caption = text(card, 'caption');
  const width = /^(?:wide|full)$/.exec(text(card, 'cardWidth'))?.[0];
  const start = width === undefined ? '<figure>' : `<figure class="ql-width-${width}">`;
  return `${start}${inner}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** Pictures beside each other, each with its caption, and what is said of all of them below. */
function renderGallery(card: CardData): string | null {
  const images = listOf(card, 'images').filter((image) => text(image, 'src') !== '');
  if (images.length === 0) return null;
  const pictures = images.map((image) => gridFigure(picture(image), text(image, 'caption')));
  return pictures.join('') + paragraph(text(card, 'caption'));
}

/** Two pictures of which a slider shows one part each, beside each other. */
function renderBeforeAfter(card: CardData): string | null {
  const images = ['beforeImage', 'afterImage'].map((name) => picture(toCardData(card.get(name))));
  const shown = images.filter((image) => image !== '').map((image) => gridFigure(image, ''));
  return shown.length === 0 ? null : shown.join('') + paragraph(text(card, 'caption'));
}

function renderCode(card: CardData): string {
  const language = escaped(card, 'language');
  const code = `<pre><code${language === '' ? '' : ` class="language-${language}"`}>${escaped(card, 'code')}</code></pre>`;
  const caption = text(card, 'caption');
  return caption === '' ? code : `<figure>${code}<figcaption>${caption}</figcaption></figure>`;
}

function renderEmbed(card: CardData): string | null {
  const address = text(card, 'url');
  if (text(card, 'type') === 'nft') return renderNft(card, address);
  if (readVideoAddress(address) !== null) return figure(videoHtml(address), card);
  const embedded = text(card, 'html') || link(card, 'url', address);
  return embedded === null ? null : embedded + paragraph(text(card, 'caption'));
}

/** A picture that somebody sells elsewhere, with its title and who made it. */
function renderNft(card: CardData, link: string): string | null {
  const metadata = toCardData(card.get('metadata'));
  const maker = escaped(metadata, 'author_name');
  const shown = bookmarkHtml({
    link,
    thumbnail: text(metadata, 'image_url'),
    title: escaped(metadata, 'title'),
    description: maker === '' ? '' : `Created by ${maker}`,
    source: escaped(metadata, 'collection_name'),
    caption: text(card, 'caption'),
  });
  return link === '' ? null : shown;
}

function renderBookmark(card: CardData): string | null {
  const metadata = toCardData(card.get('metadata'));
  const link = text(card, 'url');
  if (link === '') return null;
  return bookmarkHtml({
    link,
    thumbnail: text(metadata, 'thumbnail'),
    title: escaped(metadata, 'title'),
    description: escaped(metadata, 'description'),
    source: [escaped(metadata, 'publisher'), escaped(metadata, 'author')].filter((name) => name !== '').join(' · '),
    caption: text(card, 'caption'),
  });
}

function renderFile(card: CardData): string | null {
  const link = text(card, 'src');
  const name = escaped(card, 'fileName');
  const title = escaped(card, 'fileTitle');
  const about = [name, sizeOf(card.get('fileSize'))].filter((part) => part !== '').join(' · ');
  return link === '' ? null : fileHtml({ link, title: title || about, caption: escaped(card, 'fileCaption'), about });
}

/** As Ghost shows it; empty when it is not known. */
function sizeOf(bytes: unknown): string {
  if (typeof bytes !== 'number' || !(bytes >= 1)) return '';
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 4);
  return `${Math.round(bytes / 1024 ** power)} ${['Bytes', 'KB', 'MB', 'GB', 'TB'][power] ?? ''}`;
}

function renderCallToAction(card: CardData): string | null {
  const inner = [
    card.get('hasSponsorLabel') === true ? sponsorHtml(text(card, 'sponsorLabel')) : '',
    imageOf(card, 'imageUrl'),
    text(card, 'textValue'),
    isOn(card, 'showButton') ? (button(card, 'buttonUrl', 'buttonText') ?? '') : '',
  ].join('');
  return inner === '' ? null : `<blockquote>${inner}</blockquote>`;
}

function sponsorHtml(label: string): string {
  return /^\s*<p[\s>]/.test(label) ? label : paragraph(label);
}

function imageOf(card: CardData, name: string): string {
  return text(card, name) === '' ? '' : `<figure><img src="${escaped(card, name)}" alt=""></figure>`;
}

function isOn(card: CardData, name: string): boolean {
  return card.get(name) !== false;
}

function renderProduct(card: CardData): string {
  const parts = [
    imageOf(card, 'productImageSrc'),
    `<h4>${text(card, 'productTitle')}</h4>`,
    ...(card.get('productRatingEnabled') === true ? [starsHtml(Number(card.get('productStarRating')) || 0)] : []),
    text(card, 'productDescription'),
    isOn(card, 'productButtonEnabled') ? (button(card, 'productUrl', 'productButton') ?? '') : '',
  ];
  return parts.join('\n');
}

/** A player, as HTML has it. */
function media(kind: PlayerKind, card: CardData): string | null {
  const address = text(card, 'src');
  if (address === '') return null;
  const poster = text(card, 'customThumbnailSrc') || text(card, 'thumbnailSrc');
  return kind === 'audio'
    ? playerHtml(kind, address, { title: text(card, 'title').trim() }) + paragraph(escaped(card, 'title'))
    : playerHtml(kind, address, { poster });
}

/** Null for one that Ghost does not show, as it has no words or leads nowhere. */
function button(card: CardData, address: string, words: string): string | null {
  return text(card, words).trim() === '' ? null : link(card, address, text(card, words));
}

function link(card: CardData, name: string, words: string): string | null {
  const address = text(card, name);
  return address === '' ? null : `<p>${linkTo(address, words === '' ? address : words)}</p>`;
}
