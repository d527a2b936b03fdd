import { useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Scroll positions by history entry, for as long as the page lives. */
const positions = new Map<string, number>();

/**
 * Takes a visitor who comes back to a list to where they left it. The router restores positions too, but at the
 * moment of the navigation, when a list that is still loading is too short to scroll.
 * @returns a function that keeps the present position; call it when the visitor follows a link of the list
 */
export function useKeptScroll(): () => void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  useLayoutEffect(() => {
    const top = positions.get(key);
    if (navigationType === NavigationType.Pop && top !== undefined) scrollTo({ top });
  }, [key, navigationType]);
  return () => positions.set(key, scrollY);
}
