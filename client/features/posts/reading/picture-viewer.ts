/**
 * Shows pictures of a post large, one at a time, over the page. The browser keeps the focus in it and gives it back to the
 * link that opened it.
 * @param opener the link of the picture to begin with
 * @param links all of them, in order
 * @param gone aborts when the post leaves the page
 */
export function showPictures(opener: HTMLElement, links: readonly HTMLElement[], gone: AbortSignal): void {
  if (gone.aborted) return;
  const dialog = document.createElement('dialog');
  const stage = document.createElement('div');
  const foot = document.createElement('div');
  const caption = document.createElement('p');
  const count = links.length;
  let index = links.indexOf(opener);
  const show = (next: number) => {
    index = (next + count) % count;
    const link = links[index];
    stage.replaceChildren(...(link ? [enlarge(link)] : []));
    caption.textContent = describe(link, index, count);
  };
  const step = (by: number) => () => show(index + by);
  const close = () => dialog.close();
  dialog.className = 'viewer';
  dialog.ariaLabel = 'Picture';
  caption.role = 'status';
  foot.append(caption);
  if (count > 1) foot.append(toButton('Previous', step(-1)), toButton('Next', step(1)));
  foot.append(toButton('Close', close));
  dialog.append(stage, foot);
  dialog.addEventListener('keydown', ({ key }) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (by !== undefined && count > 1) show(index + by);
  });
  // All but the buttons and the words closes.
  dialog.addEventListener('click', ({ target }) => {
    if (target instanceof Element && !target.closest('.viewer > :last-child')) close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  gone.addEventListener('abort', close);
  document.body.append(dialog);
  show(index);
  dialog.showModal();
}

function toButton(words: string, handleClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn btn-line btn-small';
  button.textContent = words;
  button.addEventListener('click', handleClick);
  return button;
}

/** The picture of a link as wide as the window, in the best format that the browser knows. */
function enlarge(link: HTMLElement): Node {
  const copy = link.cloneNode(true) as HTMLElement;
  for (const source of copy.querySelectorAll('source')) source.sizes = '100vw';
  for (const image of copy.querySelectorAll('img')) image.loading = 'eager';
  return copy.firstElementChild ?? copy;
}

/** The words under a picture of the post, and which one it is. */
function describe(link: HTMLElement | undefined, index: number, count: number): string {
  const words = link?.closest('figure, .post-picture')?.querySelector('figcaption, .post-caption')?.textContent ?? '';
  const place = count > 1 ? `Picture ${index + 1} of ${count}` : '';
  return [place, words].filter((part) => part !== '').join(': ');
}
