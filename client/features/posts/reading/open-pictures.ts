import { logError } from '../../../lib/log-error.js';
import { isPlainClick } from '../plain-click.js';

/** Opens pictures large over the page. The code for it is loaded with the first one, and so are the large pictures. */
export function openPictures(article: HTMLElement, gone: AbortSignal): void {
  const handleClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.picture-link');
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    void import('./picture-viewer.js').then(
      ({ showPictures }) => showPictures(link, [...article.querySelectorAll<HTMLElement>('.picture-link')], gone),
      (error: unknown) => {
        logError('The picture could not be opened over the page:', error);
        location.assign(link.href);
      },
    );
  };
  article.addEventListener('click', handleClick, { signal: gone });
}
