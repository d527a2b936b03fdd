import { toPlainText } from '../../posts/content/plain-text.js';
import { noteLinks } from '../frames.js';
import { toGallery } from '../gallery.js';
import { escapeHtml, splitAtComments } from '../html-text.js';
import { showLazyPictures } from '../lazy-pictures.js';
import { expandBareAddresses, linkTo, playerHtml, playerKindOf, replacePlayers } from '../media-links.js';
import { TagNotes, type ShortcodeRules } from '../shortcode-rules.js';
import { placeCode } from './code-shortcodes.js';
import { placeFormulas } from './latex.js';
import { expandShortcodes } from './shortcodes.js';
import { placeSmileys } from './smileys.js';
import { placeFootnotes, placeListedFootnotes } from './wordpress-footnotes.js';
import type { WordPressSite } from './wordpress-site.js';
import { layOutBlocks, parseAttributes, placeReusableBlocks, takeLinksOffPictures } from './wordpress-blocks.js';
import { withoutHiddenBlocks } from './wordpress-restrictions.js';
import { addParagraphs } from './wpautop.js';
import { textOf, type XmlElement } from './xml-tree.js';

const blockMark = /^(\/?)wp:([a-z][a-z0-9_/-]*)/i;
const otherNumbers = /<ol(?=\s)[^<>]{0,500}?(?:\sreversed(?=[\s=>/])|\stype\s{0,5}=\s{0,5}["']?[ai](?=["'\s>]))/gi;
const floatingPicture = /<(?:img|figure)\s[^<>]{0,2000}?class="[^"]{0,500}?\balign(?:left|right)\b/gi;
/** Blocks that are marks for the theme and have nothing to be shown. */
const marks = new Set(['more', 'nextpage', 'spacer', 'separator']);

/** The text of an item as it is written, with reusable blocks in their places, without hidden ones, and with code that tags enclose as code. */
export function readWritten(item: XmlElement, site: WordPressSite, warnings: string[], rules?: ShortcodeRules): string {
  const whole = placeReusableBlocks(textOf(item, 'content:encoded'), site.blocks, warnings);
  return withoutHiddenBlocks(placeCode(whole, rules), warnings);
}

/**
 * The text of an item as HTML: paragraphs and line breaks of the classic editor written down, the block editor's marks
 * taken out, WordPress' own shortcodes and players replaced by what a post can show.
 * @param whole the text that `readWritten` gives
 */
export function readContent(
  item: XmlElement,
  whole: string,
  postId: string,
  site: WordPressSite,
  warnings: string[],
  rules?: ShortcodeRules,
): string {
  const written = layOutBlocks(
    showLazyPictures(placeFormulas(placeListedFootnotes(placeFootnotes(whole, item, warnings)))),
  );
  const shownThere = new Set<string>();
  const expanded = expandShortcodes(written, { postId, attachments: site.attachments, warnings, rules, shownThere });
  const text = addParagraphsOutsideBlocks(expandBareAddresses(expanded, shownThere), warnings, shownThere);
  noteLinks(shownThere, warnings);
  const shown = placeSmileys(replacePlayers(text, warnings).trim(), warnings);
  const html = takeLinksOffPictures(shown, site, warnings);
  const floating = html.match(floatingPicture)?.length ?? 0;
  if (floating > 0) warnings.push(`text flowed around ${floating} of its pictures; here they stand between lines`);
  const numbered = html.match(otherNumbers)?.length ?? 0;
  if (numbered > 0)
    warnings.push(`lists with letters, or that count down, are numbered from low to high here: ${numbered}`);
  return html + readEnclosures(item, html, warnings);
}

/** Text of the block editor has its paragraphs; text beside blocks is that of the first editor. */
function addParagraphsOutsideBlocks(html: string, warnings: string[], shownThere: Set<string>): string {
  const parts: string[] = [];
  let depth = 0;
  let pending = '';
  const left = new TagNotes();
  /** The parts at which galleries begin that are not over. */
  const galleries: number[] = [];
  const flush = () => {
    parts.push(depth > 0 ? pending : addParagraphs(pending));
    pending = '';
  };
  for (const part of splitAtComments(html)) {
    const [mark, closing, name = ''] = part.isComment ? (blockMark.exec(part.text) ?? []) : [];
    if (!part.isComment) pending += part.text;
    // The first editor's text, in a block or beside one, is the same.
    if (mark === undefined || name === 'freeform') continue;
    flush();
    if (name === 'gallery' && closing !== '/') galleries.push(parts.length);
    const gallery = name === 'gallery' && closing === '/' ? galleries.pop() : undefined;
    if (gallery !== undefined) {
      parts.push(toGallery(parts.splice(gallery).join(''), warnings));
    }
    if (closing === '/') depth = Math.max(0, depth - 1);
    else if (!part.text.endsWith('/')) depth += 1;
    else if (!marks.has(name)) pending += readEmptyBlock(name, part.text, left, shownThere);
  }
  flush();
  warnings.push(...left.list());
  return parts.join('');
}

/** A block that is only a mark; what it shows is made by the old site, unless it is the address of something. */
function readEmptyBlock(name: string, mark: string, left: TagNotes, shownThere: Set<string>): string {
  const { url, label, service } = parseAttributes(mark.slice(mark.indexOf('{'), mark.lastIndexOf('}') + 1));
  const nested = /"url":"(https?:[^"\\\s<>]{1,2000})"/.exec(mark.replaceAll('\\/', '/'))?.[1];
  const address = typeof url === 'string' && /^https?:[^\s<>"]{1,2000}$/.test(url) ? url : nested;
  const own = typeof label === 'string' ? toPlainText(label) : '';
  const words = own === '' && typeof service === 'string' ? nameOfService(service) : own;
  if (address !== undefined && words !== '') {
    const link = linkTo(address, words);
    // They stand in the list that the block around them has.
    return name.startsWith('social-link') ? `<li>${link}</li>` : `\n\n<p>${link}</p>\n\n`;
  }
  if (address !== undefined) return `\n\n${expandBareAddresses(address, shownThere)}\n\n`;
  left.add(`the block '${name}' has no text of its own in the file and was left out`);
  return '';
}

/** Services that WordPress calls otherwise than their keys say. */
const services: Readonly<Record<string, string>> = {
  chain: 'Link',
  codepen: 'CodePen',
  deviantart: 'DeviantArt',
  feed: 'RSS Feed',
  fivehundredpx: '500px',
  github: 'GitHub',
  lastfm: 'Last.fm',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  vk: 'VK',
  whatsapp: 'WhatsApp',
  wordpress: 'WordPress',
  youtube: 'YouTube',
};

function nameOfService(key: string): string {
  const name = key.slice(0, 100);
  return (Object.hasOwn(services, name) ? services[name] : undefined) ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** Files that were sent along with the post, such as the episode of a podcast. */
function readEnclosures(item: XmlElement, html: string, warnings: string[]): string {
  const metas = item.children.filter((child) => textOf(child, 'wp:meta_key') === 'enclosure');
  const addresses = metas.map((meta) => textOf(meta, 'wp:meta_value').split('\n')[0]?.trim() ?? '');
  const added = [...new Set(addresses)].filter((address) => {
    return /^https?:\/\/[^\s<>"]+$/.test(address) && !html.includes(escapeHtml(address)) && !html.includes(address);
  });
  return added
    .map((address) => {
      const kind = playerKindOf(address);
      warnings.push(`the file ${address} that belongs to it is ${kind === null ? 'linked' : 'played'} at its end`);
      return kind === null ? `\n<p>${linkTo(address)}</p>` : `\n${playerHtml(kind, address)}`;
    })
    .join('');
}
