import { copyCode } from './copy-code.js';
import { followContents } from './follow-contents.js';
import { openNotes } from './open-notes.js';
import { openPictures } from './open-pictures.js';
import { reachFormulas } from './reach-formulas.js';
import { sharePost } from './share-post.js';

/**
 * Adds to a post what works with scripts only.
 * @param gone aborts when the post leaves the page
 */
export function startReadingAids(article: HTMLElement, gone: AbortSignal): void {
  followContents(article, gone);
  copyCode(article);
  openNotes(article, gone);
  openPictures(article, gone);
  reachFormulas(article, gone);
  sharePost(article, gone);
}
