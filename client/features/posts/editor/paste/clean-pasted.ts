import { readVideoAddress } from '../../../../../src/shared/video-address.js';
import type { RemotePicture } from '../editor-contract.js';
import { toSafeHtml } from '../html/safe-fragment.js';
import { cleanLook } from './clean-look.js';
import { readDataImage } from './data-image.js';
import { readFootnotes } from './footnotes.js';
import { tidyTables } from './tidy-tables.js';

/** Parts that could not be pasted. */
interface PasteLosses {
  /** Pictures that only the program knows where they were copied from. */
  readonly lostImages: number;
}

const noise = 'script, style, meta, link, title, xml, template, noscript, o\\:p, [hidden], .Apple-interchange-newline';
const textBlocks = 'p, li, h1, h2, h3, h4, h5, h6, td, th, dd, dt, blockquote, figcaption';

/**
 * Makes a document from the clipboard fit for the editor, after Quill has understood the lists of Word and the wrappers
 * of Google Docs. Nothing that can be read gets lost: what has no place in a post leaves its words or its address.
 * @param addImage keeps a picture that came inside the text, or is on another site, and gives the number of its upload
 */
export function cleanPasted(doc: Document, addImage: (picture: File | RemotePicture) => string): PasteLosses {
  const { body } = doc;
  removeComments(body);
  for (const element of body.querySelectorAll(noise)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) cleanLook(element);
  for (const heading of body.querySelectorAll('h1')) rename(heading, 'h2');
  const lostImages = replaceImages(body, addImage);
  replaceEmbeds(body);
  readFootnotes(body);
  replaceKept(body);
  tidyTables(body);
  keepListStarts(body);
  replaceBreaks(body);
  return { lostImages };
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
    const src = image.getAttribute('src') ?? '';
    if (/^\/media\//i.test(src)) continue;
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

function readRemote(image: HTMLImageElement, src: string): RemotePicture | null {
  const address = src.trim().replace(/^\/\//, 'https://');
  return /^https?:\/\//i.test(address) ? { address, alt: image.alt.replace(/\s+/g, ' ').trim() } : null;
}

/** Players become videos where the host is known, and links to what they play otherwise. */
function replaceEmbeds(body: HTMLElement): void {
  for (const embed of body.querySelectorAll('iframe, video, audio, embed, object')) {
    const src = embed.getAttribute('src') ?? embed.getAttribute('data') ?? embed.querySelector('source')?.src ?? '';
    const player = readVideoAddress(src)?.player;
    if (player !== undefined) {
      const title = embed.getAttribute('title') || 'Video';
      embed.replaceWith(marker(body, 'div', 'ql-video', { src: player, title }));
    } else if (/^https?:/i.test(src)) {
      const link = body.ownerDocument.createElement('a');
      link.href = src;
      link.textContent = embed.getAttribute('title') || src;
      embed.replaceWith(link);
    } else {
      embed.remove();
    }
  }
}

/** Definitions and captioned pictures become blocks that keep them. */
function replaceKept(body: HTMLElement): void {
  for (const block of body.querySelectorAll<HTMLElement>('.ql-preserved[data-source]')) {
    block.replaceWith(marker(body, 'div', 'ql-preserved', { source: toSafeHtml(block.dataset['source'] ?? '') }));
  }
  for (const kept of [...body.querySelectorAll('dl, details, figure:has(figcaption)')]) {
    if (kept.closest('table') || kept.parentElement?.closest('dl, details, figure') || kept.querySelector('.ql-upload'))
      continue;
    kept.replaceWith(marker(body, 'div', 'ql-preserved', { source: toSafeHtml(kept.outerHTML) }));
  }
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
