import { useEffect, useRef } from 'react';
import { Button } from './button.js';

/** How far below the window the next part is loaded, so that who scrolls seldom waits. */
const AHEAD = '600px';

interface LoadMoreProps {
  /** How many items are shown. */
  readonly count: number;
  /** The words for one item and for several. */
  readonly nouns: readonly [one: string, many: string];
  /** Selects the items among the siblings; each can take the focus. */
  readonly itemSelector: string;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** True when the last part could not be loaded: then it is asked for by the button alone. */
  readonly hasFailed: boolean;
  readonly onLoad: () => void;
}

/**
 * Loads the next part of a list when its end is near, or at the press of a button, which moves the focus to the first
 * item of that part.
 */
export function LoadMore(props: LoadMoreProps) {
  const { count, nouns, itemSelector, hasMore, isLoading, hasFailed, onLoad } = props;
  const [one, many] = nouns;
  const place = useRef<HTMLDivElement>(null);
  const awaited = useRef<number | null>(null);
  const load = useRef(onLoad);
  useEffect(() => {
    load.current = onLoad;
  }, [onLoad]);

  useEffect(() => {
    if (awaited.current === null || count <= awaited.current) return;
    const items = place.current?.parentElement?.querySelectorAll<HTMLElement>(itemSelector);
    items?.[awaited.current]?.focus();
    awaited.current = null;
  }, [count, itemSelector]);

  const loadsByItself = hasMore && !isLoading && !hasFailed;
  useEffect(() => {
    if (!loadsByItself || !place.current) return;
    // A new observer tells at once whether the end is near, also when the last part did not fill the window.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load.current();
      },
      { rootMargin: `0px 0px ${AHEAD}` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [loadsByItself]);

  const handleClick = () => {
    awaited.current = count;
    if (!isLoading) onLoad();
  };

  const shown = `${count} ${count === 1 ? one : many}`;
  return (
    <div ref={place} className="list-more">
      <p role="status" className="quiet numeric">
        {hasMore ? `${shown} shown, there are more.` : `${shown} shown, no more to load.`}
      </p>
      {hasMore ? (
        <Button kind="line" aria-disabled={isLoading} onClick={handleClick}>
          {isLoading ? `Loading more ${many}...` : `Load more ${many}`}
        </Button>
      ) : null}
    </div>
  );
}
