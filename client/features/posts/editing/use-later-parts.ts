import { useEffect } from 'react';

/** Browsers without idle moments (Safari) get this time to draw the form first. */
const DRAWING_MS = 1000;

/**
 * Fetches what an open editor may need later, at the first idle moment: the server can be away by then, and messages,
 * pasted Markdown and the rules of a save would have to wait for it.
 */
export function useLaterParts(): void {
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const idle = requestIdleCallback(fetchParts);
      return () => cancelIdleCallback(idle);
    }
    const timer = setTimeout(fetchParts, DRAWING_MS);
    return () => clearTimeout(timer);
  }, []);
}

function fetchParts(): void {
  const parts = [
    import('../../../components/toast-region.js'),
    import('../../../../src/shared/markdown-to-html.js'),
    import('./post-rules.js'),
  ];
  // Whoever needs a part that did not come asks again, and says so.
  for (const part of parts) part.catch(() => undefined);
}
