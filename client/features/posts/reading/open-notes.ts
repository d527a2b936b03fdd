import { isPlainClick } from '../plain-click.js';

/** Pixels between a note and the edges of the window, and between it and its number, whose line is higher than it is. */
const MARGIN = 8;
const GAP = 16;

/** Opens footnotes where their number stands; the list of them stays for browsers without popovers. */
export function openNotes(article: HTMLElement, gone: AbortSignal): void {
  if (!('popover' in HTMLElement.prototype)) return;
  const links = article.querySelectorAll<HTMLAnchorElement>('.post-note > a');
  for (const link of links) {
    link.ariaExpanded = 'false';
    const handleClick = (event: MouseEvent) => {
      const note = document.getElementById(link.hash.slice(1));
      if (!note || !isPlainClick(event)) return;
      event.preventDefault();
      openNote(link, note);
    };
    link.addEventListener('click', handleClick, { signal: gone });
  }
}

function openNote(link: HTMLAnchorElement, note: HTMLElement): void {
  const box = document.createElement('span');
  box.popover = 'auto';
  box.role = 'dialog';
  box.className = 'note-box';
  box.ariaLabel = link.textContent;
  box.tabIndex = -1;
  const words = document.createElement('span');
  // All but the link back.
  words.append(...[...note.childNodes].slice(0, -1).map((node) => node.cloneNode(true)));
  box.append(words, toFoot(box, link.hash));
  box.addEventListener('toggle', (event) => {
    const isOpen = event.newState === 'open';
    link.ariaExpanded = String(isOpen);
    if (!isOpen) box.remove();
  });
  // Right behind its number, so that the keyboard goes from there into it and on.
  link.parentElement?.after(box);
  box.showPopover();
  place(box, link);
  box.focus({ preventScroll: true });
}

function toFoot(box: HTMLElement, hash: string): HTMLElement {
  const foot = document.createElement('span');
  const list = document.createElement('a');
  const close = document.createElement('button');
  list.href = hash;
  list.textContent = 'All footnotes';
  close.type = 'button';
  close.textContent = 'Close';
  for (const control of [list, close]) control.addEventListener('click', () => box.hidePopover());
  foot.className = 'note-foot';
  foot.append(list, close);
  return foot;
}

/** Under the number, or above it where there is no room. */
function place(box: HTMLElement, link: HTMLElement): void {
  const { left, top, bottom } = link.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isBelow = bottom + GAP + box.offsetHeight <= clientHeight || top < clientHeight / 2;
  const y = isBelow ? bottom + GAP : top - GAP - box.offsetHeight;
  box.style.top = `${y + scrollY}px`;
  box.style.left = `${Math.max(MARGIN, Math.min(left - GAP, clientWidth - box.offsetWidth - MARGIN))}px`;
}
