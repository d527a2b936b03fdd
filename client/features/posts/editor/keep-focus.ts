import type Quill from 'quill';

/**
 * Changes the text while somebody may be elsewhere on the page. Quill takes the focus with a change as long as the selection of
 * the page is in the text, where it stays when a button gets the focus: the next key would go into the text.
 */
export function keepFocus(quill: Quill, change: () => void): void {
  const { activeElement } = document;
  const isElsewhere = activeElement instanceof HTMLElement && !quill.root.contains(activeElement);
  try {
    change();
  } finally {
    if (isElsewhere && quill.hasFocus()) activeElement.focus({ preventScroll: true });
  }
}
