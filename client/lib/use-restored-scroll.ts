import { useLayoutEffect, type MouseEvent } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

interface Place {
  /** The link that was followed, and where in the window it stood. */
  readonly href: string;
  readonly top: number;
}

/** Places by history entry, for as long as the page lives. */
const places = new Map<string, Place>();

/**
 * Takes a visitor who comes back to a list to the link that they followed. The router restores scroll positions at the
 * moment of the navigation, when a list that is still loading is too short; and the height of content that was not laid
 * out is a guess (client/styles/blog.css), so a position alone would lead elsewhere.
 * @returns a handler for clicks in the list
 */
export function useRestoredScroll(): (event: MouseEvent<HTMLElement>) => void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  useLayoutEffect(() => {
    const place = places.get(key);
    if (navigationType !== NavigationType.Pop || !place) return;
    const link = document.querySelector(`main a[href="${CSS.escape(place.href)}"]`);
    if (link) scrollBy({ top: link.getBoundingClientRect().top - place.top, behavior: 'instant' });
  }, [key, navigationType]);
  return ({ target }) => {
    const link = (target as Element).closest('a');
    const href = link?.getAttribute('href');
    if (link && href) places.set(key, { href, top: link.getBoundingClientRect().top });
  };
}
