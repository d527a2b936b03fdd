import { readVideoAddress } from '../../../../../src/shared/video-address.js';
import { parseHtml } from '../../../../lib/parse-html.js';
import type { RemotePicture } from '../editor-contract.js';
import { LINK_PROTOCOLS } from '../formats/inline-formats.js';
import { isObjectLine } from '../html/lines.js';
import { readBlock } from '../html/read-block.js';
import { toSafeHtml } from '../html/safe-fragment.js';
import { cleanLook } from './clean-look.js';
import { readDataImage } from './data-image.js';
import { readFootnotes } from './footnotes.js';
import type { PasteLosses } from './paste-losses.js';
import { readSpecials } from './special-parts.js';
import { tidyTables } from './tidy-tables.js';

const noise =
  'script, style, meta, link, title, xml, template, noscript, o\\:p, [hidden], .Apple-interchange-newline, ' +
  // Marks of Word for the end of a paragraph, and words for screen readers alone.
  '.EOP, .sr-only, .visually-hidden';
/** Elements that lines come of, or that stand around some. */
const blocks = 'p, div, section, ul, ol, li, h1, h2, h3, h4, h5, h6, table, td, th, dd, dt, blockquote, figcaption';
const textBlocks = 'p, li, h1, h2, h3, h4, h5, h6, td, th, dd, dt, blockquote, figcaption';

/**
 * Makes a document from the clipboard fit for the editor, after Quill has understood the lists of Word and the wrappers
 * of Google Docs. Nothing that can be read gets lost: what has no place in a post leaves its words or its address.
 * @param addImage keeps a picture that came inside the text, or is on another site, and gives the number of its upload
 */
export function cleanPasted(doc: Document, addImage: (picture: File | RemotePicture) => string): PasteLosses {
  const { body } = doc;
  const codes = findCodes(body);
  readStyleSheets(body);
  removeComments(body);
  for (const element of body.querySelectorAll(noise)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) cleanLook(element);
  for (const element of body.querySelectorAll<HTMLElement>('[dir]')) readDirection(element);
  // The editor has this attribute for the number that a list starts with.
  for (const element of body.querySelectorAll('[data-start]')) element.removeAttribute('data-start');
  for (const heading of body.querySelectorAll('h1')) rename(heading, 'h2');
  readSpecials(body);
  const images = replaceImages(body, addImage);
  const parts = replaceEmbeds(body);
  const schemes = findRefusedSchemes(body);
  readFootnotes(body);
  replaceKept(body);
  const tables = tidyTables(body);
  keepListStarts(body);
  replaceBreaks(body);
  partCodes(body, codes);
  return { images, schemes, parts, ...tables };
}

/** Blocks of code that are one element each: Word, LibreOffice and some editors of code have an element for each line. */
function findCodes(body: HTMLElement): HTMLElement[] {
  const codes = [...body.querySelectorAll<HTMLElement>('pre:not(.western, .CodeMirror-line)')];
  return codes.filter((code) => code.querySelector('o\\:p') === null);
}

/** Excel says in a style sheet, which comes as a comment, what is bold, and with an old element what is colored. */
function readStyleSheets(body: HTMLElement): void {
  const sheets = body.ownerDocument.documentElement.innerHTML;
  for (const [, name] of sheets.matchAll(/\.(xl\d{1,5})\s{0,9}\{[^}]{0,2000}font-weight:\s{0,9}(?:700|bold)/g)) {
    for (const cell of body.querySelectorAll<HTMLElement>(`td.${String(name)}`)) cell.style.fontWeight = 'bold';
  }
  for (const font of body.querySelectorAll<HTMLElement>('font[color]'))
    font.style.color = font.getAttribute('color') ?? '';
}

/** Word writes it in capitals, and at words as well, which have none in the editor. */
function readDirection(element: HTMLElement): void {
  if (element.dir === 'rtl' && element.matches(blocks)) element.setAttribute('dir', 'rtl');
  else element.removeAttribute('dir');
}

function removeComments(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

function replaceImages(body: HTMLElement, addImage: (picture: File | RemotePicture) => string): number {
  let lost = 0;
  for (const image of body.querySelectorAll('img')) {
    const src = toOwnPath(image.getAttribute('src') ?? '');
    if (/^\/media\//i.test(src)) {
      image.setAttribute('src', src);
      continue;
    }
    // Mail programs and trackers bring invisible dots; nobody misses those, and nobody is to be told of the paste.
    const isDot = image.getAttribute('width') === '1';
    const picture = isDot ? null : (readRemote(image, src) ?? readDataImage(src));
    if (picture === null) {
      if (!isDot) lost += 1;
      image.remove();
    } else {
      image.replaceWith(marker(body, 'span', 'ql-upload', { upload: addImage(picture) }));
    }
  }
  return lost;
}

/** Browsers write whole addresses into the clipboard, also those of pictures of this site, which are stored here already. */
function toOwnPath(address: string): string {
  const { origin } = location;
  return address.startsWith(`${origin}/media/`) ? address.slice(origin.length) : address;
}

function readRemote(image: HTMLImageElement, src: string): RemotePicture | null {
  const address = src.trim().replace(/^\/\//, 'https://');
  return /^https?:\/\//i.test(address) ? { address, alt: image.alt.replace(/\s+/g, ' ').trim() } : null;
}

/** Schemes of links that the editor will lead nowhere (product.md 5.7). */
function findRefusedSchemes(body: HTMLElement): string[] {
  return [...body.querySelectorAll('a[href]')].flatMap((link) => {
    const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(link.getAttribute('href') ?? '')?.[1]?.toLowerCase();
    const isRefused = scheme !== undefined && !(LINK_PROTOCOLS as readonly string[]).includes(scheme);
    return isRefused && link.textContent.trim() !== '' ? [scheme] : [];
  });
}

/** A player of a page of this site becomes what it is in the text: with paths, its title, and without the link beside it. */
function takeFromPage(player: Element): void {
  for (const part of [player, ...player.querySelectorAll('track')]) {
    for (const name of ['src', 'poster']) {
      const address = part.getAttribute(name);
      if (address !== null) part.setAttribute(name, toOwnPath(address));
    }
  }
  const label = player.getAttribute('aria-label');
  // One without a title is called by its kind there.
  if (label !== null && !/^(?:Audio|Video)$/.test(label)) player.setAttribute('title', label);
  if (player.nextElementSibling?.matches('.player-file')) player.nextElementSibling.remove();
  if (player.parentElement?.matches('.player')) player.parentElement.replaceWith(player);
}

/**
 * Players become videos where the host is known, and links to what they play otherwise; fields of forms and drawings go.
 * @returns the names of what went without leaving an address
 */
function replaceEmbeds(body: HTMLElement): string[] {
  const lost: string[] = [];
  for (const embed of body.querySelectorAll('iframe, video, audio, embed, object')) {
    const given = embed.getAttribute('src') ?? embed.getAttribute('data') ?? embed.querySelector('source')?.src ?? '';
    const src = toOwnPath(given);
    const player = readVideoAddress(src)?.player;
    if (embed.closest('.ql-preserved') !== null) continue;
    if (embed.matches('audio, video') && /^\/media\/[0-9a-f]{32}\.[a-z0-9]{2,4}$/.test(src)) {
      embed.setAttribute('src', src);
      embed.classList.add('ql-player');
      takeFromPage(embed);
      embed.replaceWith(marker(body, 'div', 'ql-preserved', { source: toSafeHtml(embed.outerHTML) }));
    } else if (player !== undefined) {
      const title = embed.getAttribute('title') || 'Video';
      embed.replaceWith(marker(body, 'div', 'ql-video', { src: player, title }));
    } else if (/^https?:/i.test(src)) {
      const link = body.ownerDocument.createElement('a');
      link.href = src;
      link.textContent = embed.getAttribute('title') || src;
      embed.replaceWith(link);
    } else {
      lost.push('a player');
      embed.remove();
    }
  }
  for (const [selector, name] of [
    ['input, select, textarea', 'a form field'],
    // Signs beside words are no drawings.
    ['canvas, svg[role="img"]:not(a *, button *)', 'a drawing'],
  ] as const) {
    for (const part of body.querySelectorAll(selector)) {
      if (!part.matches('input[type="hidden"]')) lost.push(name);
      part.remove();
    }
  }
  return lost;
}

/** Definitions and captioned pictures become blocks that keep them. */
function replaceKept(body: HTMLElement): void {
  for (const block of body.querySelectorAll<HTMLElement>('.ql-preserved[data-source]')) {
    block.replaceWith(marker(body, 'div', 'ql-preserved', { source: toSafeHtml(block.dataset['source'] ?? '') }));
  }
  for (const kept of [...body.querySelectorAll('dl, details, figure')]) {
    if (kept.closest('table') || kept.parentElement?.closest('dl, details, figure') || kept.querySelector('.ql-upload'))
      continue;
    const source = toSafeHtml(kept.outerHTML);
    const figure = readPastedFigure(source);
    // Anything can stand in a figure: without a caption it stands for itself.
    if (figure !== null) kept.replaceWith(marker(body, 'div', 'ql-figure', { figure }));
    else if (kept.tagName !== 'FIGURE' || kept.querySelector('figcaption') !== null) {
      kept.replaceWith(marker(body, 'div', 'ql-preserved', { source }));
    }
  }
}

/** The value of a picture with its caption and width as a text; null for any other block. */
function readPastedFigure(html: string): string | null {
  const element = parseHtml(html).firstElementChild;
  const [line] = (element?.tagName === 'FIGURE' ? readBlock(element) : null) ?? [];
  return line !== undefined && isObjectLine(line) ? JSON.stringify(line.object['figure']) : null;
}

function keepListStarts(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ol[start]')) {
    const start = list.getAttribute('start') ?? '';
    const first = list.querySelector(':scope > li');
    if (/^[2-9]$|^[1-9]\d{1,5}$/.test(start)) first?.setAttribute('data-start', start);
  }
}

/** Breaks inside a text stay breaks; those at its end only kept an empty line open. */
function replaceBreaks(body: HTMLElement): void {
  for (const lineBreak of body.querySelectorAll('br')) {
    const block = lineBreak.closest(textBlocks);
    if (block === null || lineBreak.closest('pre, .ql-preserved')) continue;
    const rest = body.ownerDocument.createRange();
    rest.setStartAfter(lineBreak);
    rest.setEndAfter(block.lastChild ?? lineBreak);
    const isLast = rest.toString().trim() === '' && rest.cloneContents().querySelector('img, span[class]') === null;
    if (!isLast) lineBreak.replaceWith(marker(body, 'span', 'ql-soft-break', {}));
    else if (block.textContent.trim() !== '') lineBreak.remove();
  }
}

/** Two blocks of code in one language stay two: between them is room for the cursor, as in a text that was loaded. */
function partCodes(body: HTMLElement, codes: readonly HTMLElement[]): void {
  const left = codes.filter((code) => body.contains(code) && code.closest('table') === null);
  left.forEach((code, index) => {
    const next = left[index + 1];
    if (next === undefined || next.dataset['language'] !== code.dataset['language']) return;
    const between = body.ownerDocument.createRange();
    between.setStartAfter(code);
    between.setEndBefore(next);
    const isEmpty = between.cloneContents().querySelector('p, br, hr, img, [class^="ql-"]') === null;
    if (!isEmpty || between.toString().trim() !== '') return;
    const room = marker(body, 'p', '', { filler: 'true' });
    room.append(body.ownerDocument.createElement('br'));
    code.after(room);
  });
}

function marker(body: HTMLElement, tag: string, className: string, data: Record<string, string>): HTMLElement {
  const element = body.ownerDocument.createElement(tag);
  element.className = className;
  Object.assign(element.dataset, data);
  return element;
}

function rename(element: Element, tag: string): void {
  const copy = element.ownerDocument.createElement(tag);
  for (const { name, value } of element.attributes) copy.setAttribute(name, value);
  copy.append(...element.childNodes);
  element.replaceWith(copy);
}
