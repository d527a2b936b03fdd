import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from './button.js';

/** How far below the window the next part is loaded, so that who scrolls seldom waits. */
const AHEAD = '600px';

/** The part of a list read page by page that tells of the next page. */
type LoadableList = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

interface LoadMoreProps {
  /** How many items are shown. */
  readonly count: number;
  /** The words for one item and for several. */
  readonly nouns: readonly [one: string, many: string];
  /** Selects the items among the siblings; each can take the focus. */
  readonly itemSelector: string;
  readonly list: LoadableList;
}

/**
 * Loads the next part of a list when its end is near, or at the press of a button, which moves the focus to the first
 * item of that part.
 */
export function LoadMore({ count, nouns, itemSelector, list }: LoadMoreProps) {
  const { hasNextPage: hasMore, isFetchingNextPage: isLoading } = list;
  const [one, many] = nouns;
  const place = useRef<HTMLDivElement>(null);
  const awaited = useRef<number | null>(null);
  const load = useRef(list.fetchNextPage);
  useEffect(() => {
    load.current = list.fetchNextPage;
  }, [list.fetchNextPage]);

  useEffect(() => {
    if (awaited.current === null || count <= awaited.current) return;
    const items = place.current?.parentElement?.querySelectorAll<HTMLElement>(itemSelector);
    if (!isFocusBeyond(place.current)) items?.[awaited.current]?.focus();
    awaited.current = null;
  }, [count, itemSelector]);

  // What is loaded later was not asked for by that press.
  const hasFailed = list.isFetchNextPageError && !isLoading;
  useEffect(() => {
    if (hasFailed) awaited.current = null;
  }, [hasFailed]);

  // One that could not be loaded is asked for by the button alone.
  const loadsByItself = hasMore && !isLoading && !list.isFetchNextPageError;
  useEffect(() => {
    if (!loadsByItself || !place.current) return;
    // A new observer tells at once whether the end is near, also when the last part did not fill the window.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void load.current();
      },
      { rootMargin: `0px 0px ${AHEAD}` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [loadsByItself]);

  const handleClick = () => {
    awaited.current = count;
    if (!isLoading) void list.fetchNextPage();
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

/** True where something else than a part of this place has the focus, as a field in which somebody types. */
function isFocusBeyond(place: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && place?.contains(activeElement) !== true;
}
