import { useEffect, useRef } from 'react';
import { Button } from './button.js';

interface LoadMoreProps {
  /** How many items are shown. */
  readonly count: number;
  /** The words for one item and for several. */
  readonly nouns: readonly [one: string, many: string];
  /** Selects the items among the siblings; each can take the focus. */
  readonly itemSelector: string;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}

/** Loads the next part of a list and moves the focus to its first item. */
export function LoadMore({ count, nouns: [one, many], itemSelector, hasMore, isLoading, onLoad }: LoadMoreProps) {
  const place = useRef<HTMLDivElement>(null);
  const awaited = useRef<number | null>(null);

  useEffect(() => {
    if (awaited.current === null || count <= awaited.current) return;
    const items = place.current?.parentElement?.querySelectorAll<HTMLElement>(itemSelector);
    items?.[awaited.current]?.focus();
    awaited.current = null;
  }, [count, itemSelector]);

  const handleClick = () => {
    if (isLoading) return;
    awaited.current = count;
    onLoad();
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
