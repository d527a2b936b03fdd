/** Puts a button into the head of each block of code. Without scripts it would do nothing, so it is made here. */
export function copyCode(article: HTMLElement): void {
  for (const head of article.querySelectorAll('.code-head')) {
    const button = document.createElement('button');
    const status = document.createElement('span');
    button.type = 'button';
    button.textContent = 'Copy';
    status.role = 'status';
    button.addEventListener('click', () => void copy(head.nextElementSibling, status));
    head.append(status, button);
  }
}

async function copy(code: Element | null, status: HTMLElement): Promise<void> {
  // Emptied first, or a second copy would not be told.
  status.textContent = '';
  try {
    await navigator.clipboard.writeText(code?.textContent ?? '');
    status.textContent = 'Copied';
  } catch {
    // Not allowed, or not there: without https no browser has it.
    if (code) getSelection()?.selectAllChildren(code);
    status.textContent = 'The browser does not allow it. The code is selected.';
  }
}
