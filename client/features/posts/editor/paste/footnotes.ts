import { toSafeHtml } from '../html/safe-fragment.js';

/**
 * Makes footnotes of links that lead to a note from which a link leads back, as Word, Google Docs and pages write them,
 * and of those of this editor. The notes go from the end to their places. What is copied from a page may have the whole
 * address of the page in both.
 */
export function readFootnotes(body: HTMLElement): void {
  for (const own of body.querySelectorAll<HTMLElement>('span.ql-footnote')) {
    own.dataset['note'] ??= toSafeHtml(own.innerHTML);
    own.replaceChildren();
  }
  const links = [...body.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')];
  const notes = new Map<Element, string>();
  for (const link of links) {
    const note = findNote(body, link);
    if (note === null) continue;
    notes.set(note, notes.get(note) ?? readNote(note, pageOf(link)));
    const footnote = body.ownerDocument.createElement('span');
    footnote.className = 'ql-footnote';
    footnote.dataset['note'] = notes.get(note) ?? '';
    const raised = link.closest('sup');
    (raised !== null && raised.textContent.trim() === link.textContent.trim() ? raised : link).replaceWith(footnote);
  }
  for (const note of notes.keys()) removeNote(note);
}

function findNote(body: HTMLElement, link: HTMLAnchorElement): Element | null {
  const place = link.id || link.name || link.parentElement?.id || link.closest('sup')?.id;
  const page = pageOf(link);
  const target = byName(body, (link.getAttribute('href') ?? '').slice(page.length));
  if (!place || target === null || target.contains(link)) return null;
  const note = target.closest('li, p, dd') ?? target.querySelector('p') ?? target;
  const back = [target, ...note.querySelectorAll('a')].find(
    (element) => element.getAttribute('href') === `${page}#${place}`,
  );
  // A note comes after its place; the link in it is the way back.
  const isAfter = link.compareDocumentPosition(note) & Node.DOCUMENT_POSITION_FOLLOWING;
  return back === undefined || isAfter === 0 ? null : note;
}

/** The address without its place; empty where it is one of a place alone. */
function pageOf(link: Element): string {
  return (link.getAttribute('href') ?? '').split('#')[0] ?? '';
}

function byName(body: HTMLElement, address: string): Element | null {
  const name = CSS.escape(address.slice(1));
  return name === '' ? null : body.querySelector(`[id="${name}"], a[name="${name}"]`);
}

/** The words of a note without its number and its way back. */
function readNote(note: Element, page: string): string {
  const copy = note.cloneNode(true) as Element;
  for (const link of copy.querySelectorAll('a[href*="#"]')) {
    if (pageOf(link) !== page) continue;
    const raised = link.closest('sup');
    (raised !== null && copy.contains(raised) ? raised : link).remove();
  }
  const paragraphs = copy.querySelectorAll('p');
  for (const [index, paragraph] of paragraphs.entries()) {
    if (index > 0) paragraph.before(copy.ownerDocument.createElement('br'));
    paragraph.replaceWith(...paragraph.childNodes);
  }
  for (const picture of copy.querySelectorAll('.ql-upload')) picture.remove();
  return toSafeHtml(copy.innerHTML).replace(/^(?:\s|&nbsp;)+|(?:\s|&nbsp;)+$/g, '');
}

/** Takes the note away with the list and the line that stood around it alone. */
function removeNote(note: Element): void {
  let gone: Element = note;
  while (gone.parentElement !== null && gone.parentElement.tagName !== 'BODY') {
    const { parentElement: parent } = gone;
    const others = [...parent.children].filter((child) => child !== gone && !child.matches('hr, br'));
    const words = [...parent.childNodes].filter((node) => node !== gone && node.textContent?.trim());
    if (others.length > 0 || words.length > 0) break;
    gone = parent;
  }
  const before = gone.previousElementSibling;
  if (before?.tagName === 'HR') before.remove();
  gone.remove();
}
