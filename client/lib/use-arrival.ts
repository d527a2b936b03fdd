import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** How far down pages were when they were left, by history entry, for as long as the page lives. */
const tops = new Map<string, number>();

/**
 * Takes a visitor to the place that the address names, or back to where they were. The router does so at the moment of the
 * navigation, when a text that is still loading has no such place: call it where the data is drawn.
 */
export function useArrival(): void {
  const { key, pathname, hash } = useLocation();
  const navigationType = useNavigationType();
  const here = useRef({ entry: '', name: '', isReturn: false });
  useLayoutEffect(() => {
    here.current = {
      entry: key + pathname + hash,
      name: hash.slice(1),
      isReturn: navigationType === NavigationType.Pop,
    };
  });
  // Once: within a page the browser finds places by itself.
  useLayoutEffect(() => {
    const { entry, name, isReturn } = here.current;
    const top = tops.get(entry);
    if (!isReturn) findPlace(name)?.scrollIntoView();
    else if (top !== undefined) scrollTo({ top, behavior: 'instant' });
    return () => void tops.set(here.current.entry, scrollY);
  }, []);
}

/** The element of this id, as it is written in the address or decoded; so do browsers. */
function findPlace(name: string): HTMLElement | null {
  return document.getElementById(name) ?? document.getElementById(decode(name));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
