import { parseHtml } from '../../../../lib/parse-html.js';
import { toShownAddress } from '../../../../lib/remote-picture.js';

const tags: ReadonlySet<string> = new Set(
  (
    'P H2 H3 H4 H5 H6 BLOCKQUOTE UL OL LI DL DT DD TABLE CAPTION THEAD TBODY TFOOT TR TD TH FIGURE FIGCAPTION PRE HR BR ' +
    'IMG STRONG EM U S DEL INS CODE KBD SAMP VAR SUB SUP MARK SMALL ABBR CITE Q A SPAN DETAILS SUMMARY'
  ).split(' '),
);
const dropped: ReadonlySet<string> = new Set(
  'SCRIPT STYLE TEMPLATE NOSCRIPT OBJECT EMBED TITLE TEXTAREA SELECT svg math'.split(' '),
);
const aliases: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM', STRIKE: 'S', H1: 'H2', TT: 'CODE' };
const attributes: ReadonlySet<string> = new Set([
  'title',
  'alt',
  'role',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'data-list',
]);

const playerAttributes: ReadonlySet<string> = new Set(
  'title width height controls preload kind srclang label default'.split(' '),
);

/**
 * HTML as new elements of a short list, for showing inside the editor: nothing in it runs, or loads but our pictures. The
 * server's sanitizer decides what is stored; this one only guards the author's own page, also against what is pasted.
 */
export function toSafeFragment(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  copyChildren(parseHtml(withoutHandlers(html)), fragment);
  return fragment;
}

/**
 * Takes the names of event handlers out of tags. They would not run in what becomes of the HTML, but the page's policy
 * complains of each as soon as it is read.
 */
export function withoutHandlers(html: string): string {
  return html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/([\s"'/])on[a-z]+\s*=/gi, '$1data-dropped='));
}

/** The same as HTML, in which pictures of other sites keep their addresses. */
export function toSafeHtml(html: string): string {
  // A document that nobody sees loads nothing.
  const holder = document.implementation.createHTMLDocument().createElement('div');
  copyChildren(parseHtml(withoutHandlers(html)), holder);
  return holder.innerHTML;
}

function copyChildren(from: Node, to: Element | DocumentFragment): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.nodeValue ?? '');
    else if (node instanceof Element && !dropped.has(node.tagName)) copyElement(node, to);
  }
}

function copyElement(element: Element, to: Element | DocumentFragment): void {
  if (element.tagName === 'IFRAME') {
    to.append('[Video]');
    return;
  }
  if (element.tagName === 'AUDIO' || element.tagName === 'VIDEO') {
    copyPlayer(element, to);
    return;
  }
  const name = aliases[element.tagName] ?? element.tagName;
  if (!tags.has(name)) {
    copyChildren(element, to);
    return;
  }
  const copy = to.ownerDocument.createElement(name);
  for (const { name: key, value } of element.attributes) if (attributes.has(key)) copy.setAttribute(key, value);
  copyClasses(element, copy);
  copyAddress(element, copy);
  copyChildren(element, copy);
  to.append(copy);
}

/** A player of a file of ours, with its captions; what others play would be loaded from elsewhere. */
function copyPlayer(element: Element, to: Element | DocumentFragment): void {
  const parts = [element, ...element.querySelectorAll(':scope > track')];
  const [player, ...tracks] = parts.map((part) => {
    const copy = to.ownerDocument.createElement(part.tagName);
    for (const { name, value } of part.attributes) {
      const isAddress = name === 'src' || name === 'poster';
      if (isAddress ? value.startsWith('/media/') : playerAttributes.has(name)) copy.setAttribute(name, value);
    }
    return copy;
  });
  if (player?.hasAttribute('src') !== true) return;
  copyClasses(element, player);
  player.append(...tracks);
  to.append(player);
}

/** The classes of the editor; those of other programs mean nothing here. */
function copyClasses(element: Element, copy: HTMLElement): void {
  const names = [...element.classList].filter((name) => /^(?:ql|language)-/.test(name));
  if (names.length > 0) copy.className = names.join(' ');
}

function copyAddress(element: Element, copy: HTMLElement): void {
  const href = element.getAttribute('href') ?? '';
  const src = element.getAttribute('src') ?? '';
  if (copy.tagName === 'A' && /^(?:https?:|mailto:|tel:|[/#])/i.test(href)) copy.setAttribute('href', href);
  if (copy.tagName !== 'IMG') return;
  if (/^(?:https?:|\/media\/)/i.test(src)) {
    copy.setAttribute('src', copy.ownerDocument === document ? toShownAddress(src) : src);
  }
  for (const name of ['width', 'height']) {
    const size = element.getAttribute(name);
    if (size !== null) copy.setAttribute(name, size);
  }
}
