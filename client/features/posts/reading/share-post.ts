import { isPlainClick } from '../plain-click.js';

/** Shares the address of a post by what the system has for it; copies it elsewhere. */
export function sharePost(article: HTMLElement, gone: AbortSignal): void {
  const link = article.querySelector<HTMLAnchorElement>('.post-share a');
  const status = link?.nextElementSibling;
  if (!link || !status) return;
  const handleClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    status.textContent = '';
    void share(link.href, article.querySelector('h1')?.textContent ?? '').then((words) => {
      status.textContent = words;
    });
  };
  link.addEventListener('click', handleClick, { signal: gone });
}

/** Returns what there is to say of it. */
async function share(url: string, title: string): Promise<string> {
  // Missing on most desks, whatever the types say.
  const system = navigator as Partial<Pick<Navigator, 'share'>>;
  try {
    if (!system.share) throw new Error('Nothing to share with.');
    await navigator.share({ title, url });
    return '';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return '';
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'Link copied';
  } catch {
    return url;
  }
}
