import { isRecord } from '../../shared/is-record.js';
import { splitAtCode } from '../html-text.js';
import { toPageKey, type WordPressSite } from './wordpress-site.js';

const reusable = /<!--\s+wp:(?:core\/)?block\s+(\{(?:(?!-->)[^]){0,20000}?\})\s+\/-->/g;
/** Far more than posts have: a few blocks that show each other many times are a thousand texts soon. */
const MAX_PLACED = 200;

/** Puts the texts of reusable blocks, of which a post has the numbers alone, where they are shown. */
export function placeReusableBlocks(html: string, blocks: ReadonlyMap<string, string>, warnings: string[]): string {
  if (!/wp:(?:core\/)?block\s/.test(html)) return html;
  const missing = new Set<string>();
  let placed = 0;
  const place = (text: string, inside: readonly string[]): string =>
    text.replace(reusable, (_mark, written: string) => {
      const attributes = parseAttributes(written);
      const id = idOf(attributes['ref']);
      // One that shows itself shows nothing there.
      if (inside.includes(id)) return '';
      const block = blocks.get(id);
      placed += 1;
      if (block !== undefined && placed <= MAX_PLACED)
        return place(withOwnWords(block, attributes['content'], warnings), [...inside, id]);
      missing.add(id === '' ? 'one without a number' : id);
      return '';
    });
  const whole = place(html, []);
  if (missing.size > 0)
    warnings.push(
      `reusable blocks that the file does not have, or readers do not see, were left out: ${[...missing].join(', ')}`,
    );
  return whole;
}

/** The attributes of a block as its mark has them; none of what is no JSON. */
export function parseAttributes(written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function idOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 20) : '';
}

/** A paragraph or heading that has a name, by which posts say something else in its place. */
const named =
  /(<!--\s+wp:(?:paragraph|heading)\s+(\{(?:(?!-->)[^]){0,5000}?\})\s+-->\s*<(p|h[1-6])(?:\s[^<>]*)?>)((?:(?!<\/?(?:p|h[1-6])\b)[^])*)(?=<\/\3>)/g;

/** A reusable block with the words that a post has in it instead of those that all share. */
function withOwnWords(block: string, content: unknown, warnings: string[]): string {
  if (!isRecord(content)) return block;
  const own = new Map(
    Object.entries(content).map(([name, value]): [string, Record<string, unknown>] => {
      const values = isRecord(value) ? (isRecord(value['values']) ? value['values'] : value) : {};
      return [name, { ...values }];
    }),
  );
  const text = block.replace(named, (written, start: string, attributes: string) => {
    const metadata = parseAttributes(attributes)['metadata'];
    const name = isRecord(metadata) ? metadata['name'] : undefined;
    const values = typeof name === 'string' ? own.get(name) : undefined;
    const words = values?.['content'];
    if (values === undefined || typeof words !== 'string') return written;
    delete values['content'];
    return start + words;
  });
  for (const [name, values] of own) {
    const keys = Object.keys(values);
    if (keys.length > 0)
      warnings.push(
        `what it has in a reusable block instead of what all share was not taken: ${name} (${keys.join(', ')})`,
      );
  }
  return text;
}

const background =
  /<(div|section)\s([^<>]{0,2000}?\bclass="[^"]{0,500}?\bwp-block-cover(?:__image-background|-image)?[\s"][^<>]{0,2000})>/g;
const verse =
  /<pre\s[^<>]{0,500}?\bclass="[^"]{0,300}?\bwp-block-verse\b[^<>]{0,500}>((?:(?!<\/?pre\b)[^]){0,100000}?)<\/pre>/g;

const headingButton =
  /(<(h[1-6])(?:\s[^<>]{0,2000})?>\s{0,50})<button(?:\s[^<>]{0,2000})?>((?:(?!<\/button>)[^]){0,5000})<\/button>(?=\s{0,50}<\/\2>)/gi;
const drawnSign = /<span\s[^<>]{0,500}?aria-hidden="true"[^<>]{0,500}>[^<>]{0,20}<\/span>/g;

/**
 * Writes down as posts can show it what themes draw by their styles: pictures behind words, and the lines of poems. Headings that open
 * what is below them are headings.
 */
export function layOutBlocks(written: string): string {
  const html = written.includes('<button')
    ? written.replace(
        headingButton,
        (_all, start: string, _tag: string, words: string) => start + words.replace(drawnSign, ''),
      )
    : written;
  const shown = html.includes('wp-block-cover') ? html.replace(background, addBackground) : html;
  return shown.includes('wp-block-verse') ? shown.replace(verse, (_all, text: string) => toLines(text)) : shown;
}

/** The picture stands in front of the words that it was behind. */
function addBackground(written: string, _name: string, attributes: string): string {
  const picture = /background-image:\s*url\(\s*(?:&quot;|['"])?(.{1,2000}?)(?:&quot;|['"])?\s*\)/.exec(attributes)?.[1];
  if (picture === undefined || /[<>"\s]/.test(picture)) return written;
  const words = /\baria-label="([^"]{0,1000})"/.exec(attributes)?.[1] ?? '';
  const rest = written
    .replace(/background-image:\s*url\([^)]{0,2100}\);?/, '')
    .replace(/background-position:[^;"]{0,100};?/, '');
  return `${rest}<img src="${picture}" alt="${words}">`;
}

/** A poem is no code: its lines and what is further in stay, and so does its emphasis. */
function toLines(text: string): string {
  const lines = text
    .replace(/<br\s*\/?>/gi, '\n')
    .split('\n')
    .map((line) => line.replace(/^ +/, (spaces) => '\u00a0'.repeat(spaces.length)));
  return `<p>${lines.join('<br>')}</p>`;
}

const linkedPicture = /<a\s([^<>]{0,3000})>(\s*<img\b[^<>]{1,5000}>\s*)<\/a>/gi;

/**
 * Takes links off that show a picture alone, larger or on a page of its own: they would lead to the old site, and a picture here opens
 * by itself.
 */
export function takeLinksOffPictures(html: string, site: WordPressSite, warnings: string[]): string {
  if (!/<a\s/i.test(html) || !URL.canParse(site.address)) return html;
  const host = new URL(site.address).host.replace(/^www\./, '');
  let count = 0;
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text.replace(linkedPicture, (written, attributes: string, picture: string) => {
      const href = /\bhref\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
      const address = (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&').trim();
      if (!URL.canParse(address, site.address)) return written;
      const url = new URL(address, site.address);
      const isPicture = /\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(url.pathname);
      const isOwn = url.host.replace(/^www\./, '') === host;
      if (!isOwn || !(isPicture || site.attachmentPages.has(toPageKey(url)))) return written;
      count += 1;
      return picture;
    });
  });
  if (count > 0) {
    warnings.push(`${count} of its pictures led to the same picture on the old site; here they open by themselves`);
  }
  return parts.join('');
}
