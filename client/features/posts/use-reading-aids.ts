import { useEffect, type RefObject } from 'react';
import { logError } from '../../lib/log-error.js';

/**
 * Loads what helps to read a post, once it is there: a page can be read without, so it waits for none of it.
 * @param content changes when the elements of the text do
 */
export function useReadingAids(article: RefObject<HTMLElement | null>, content: object): void {
  useEffect(() => {
    const gone = new AbortController();
    void import('./reading/reading-aids.js').then(
      ({ startReadingAids }) => {
        if (article.current && !gone.signal.aborted) startReadingAids(article.current, gone.signal);
      },
      (error: unknown) => logError('What helps to read a post could not be loaded:', error),
    );
    return () => gone.abort();
  }, [article, content]);
}
