import { parseHtml } from '../../../../lib/parse-html.js';

/**
 * Leads on from the term or the definition with the cursor: to its definition, to the next term, or to a new one where none
 * follows.
 * @returns false where the cursor is in no list of definitions
 */
export function leadToDefinition(box: HTMLElement): boolean {
  const selection = document.getSelection();
  const node = selection?.focusNode;
  const from = node instanceof Element ? node : node?.parentElement;
  const part = from?.closest<HTMLElement>('dt, dd') ?? null;
  if (!selection || part === null || !box.contains(part)) return false;
  const wanted = part.tagName === 'DT' ? 'DD' : 'DT';
  const next = part.nextElementSibling;
  // Words that stand in the middle of a list are led past, not parted.
  const target = next?.tagName === wanted ? next : document.createElement(wanted);
  if (target !== next) {
    target.append(document.createElement('br'));
    part.after(target);
  }
  selection.selectAllChildren(target);
  if (target.textContent === '') selection.collapse(target, 0);
  else selection.collapseToEnd();
  return true;
}

/** The HTML without terms and definitions that nothing was written into; empty where nothing else is in it. */
export function withoutEmptyDefinitions(html: string): string {
  const fragment = parseHtml(html);
  const isEmpty = (element: Element) =>
    element.textContent.trim() === '' && element.querySelector('img, iframe') === null;
  const empty = [...fragment.querySelectorAll('dt, dd')].filter(isEmpty);
  if (empty.length === 0) return html;
  for (const part of empty) part.remove();
  for (const list of fragment.querySelectorAll('dl')) if (list.childElementCount === 0) list.remove();
  const box = document.createElement('div');
  box.append(fragment);
  return box.innerHTML.trim();
}
