import { parseHtml } from '../../../../lib/parse-html.js';
import { toShownAddress } from '../../../../lib/remote-picture.js';

/** Elements that are shown as a word, and given back as they were. */
const kept = 'iframe, audio, video, span.ql-formula, span.ql-footnote';

const signs: Readonly<Record<string, string>> = { IFRAME: '[Video]', VIDEO: '[Video]', AUDIO: '[Sound]' };

/** HTML as it can be edited in a dialog: nothing of it loads from elsewhere, and {@link fromEditable} gives it back. */
export function toEditable(html: string): DocumentFragment {
  const fragment = parseHtml(html);
  for (const image of fragment.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? '';
    if (toShownAddress(src) === src) continue;
    image.dataset['address'] = src;
    image.setAttribute('src', toShownAddress(src));
  }
  for (const details of fragment.querySelectorAll('details')) details.open = true;
  for (const element of fragment.querySelectorAll(kept)) {
    const sign = element.ownerDocument.createElement('span');
    sign.dataset['kept'] = element.outerHTML;
    sign.contentEditable = 'false';
    sign.textContent = signs[element.tagName] ?? `[${element.textContent}]`;
    element.replaceWith(sign);
  }
  return fragment;
}

/** The HTML of an edited element, without what only the browser added. */
export function fromEditable(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const sign of copy.querySelectorAll<HTMLElement>('[data-kept]')) {
    sign.replaceWith(parseHtml(sign.dataset['kept'] ?? ''));
  }
  for (const image of copy.querySelectorAll<HTMLElement>('img[data-address]')) {
    image.setAttribute('src', image.dataset['address'] ?? '');
    image.removeAttribute('data-address');
  }
  for (const details of copy.querySelectorAll('details')) details.open = false;
  return copy.innerHTML.trim();
}

/** Takes out of a field of one line the blocks that a browser puts into it; empty if it has no words. */
export function tidyLine(html: string): string {
  const line = html.replace(/<\/?(?:div|p)>/g, ' ').replace(/(?:<br>|\s|&nbsp;)+$/g, '');
  return line.replace(/<[^>]*>|&nbsp;/g, '').trim() === '' ? '' : line.trim();
}
