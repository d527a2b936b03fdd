import { useEffect, useRef } from 'react';
import type { MediaItem } from '../../../src/shared/contracts/media.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { mediaMessages as messages } from '../../content/media.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { MediaCard } from './media-card.js';
import { useMedia, type MediaFilter } from './use-media.js';

interface MediaListProps {
  readonly filter: MediaFilter;
  readonly busyId: string | null;
  readonly onRemove: (image: MediaItem) => void;
}

/** The images of one filter. */
export function MediaList({ filter, busyId, onRemove }: MediaListProps) {
  const list = useMedia(filter);
  const { images, error } = list;
  useEffect(() => {
    if (error && !isAccessDenied(error)) showToast({ kind: 'error', ...messages.fetchFailed });
  }, [error]);
  return (
    <div aria-busy={list.isFetching}>
      {error ? <FetchFailure error={error} onRetry={() => void list.refetch()} /> : null}
      <p role="status" className={images.length === 0 && !error ? 'list-note' : 'visually-hidden'}>
        {noteOf(list, filter)}
      </p>
      {images.length > 0 ? (
        <>
          <ul role="list" className="media-grid">
            {images.map((image) => (
              <li key={image.id}>
                <MediaCard image={image} isBusy={busyId === image.id} onRemove={() => onRemove(image)} />
              </li>
            ))}
          </ul>
          <More list={list} />
        </>
      ) : null}
    </div>
  );
}

function noteOf(list: ReturnType<typeof useMedia>, { search, isUnused }: MediaFilter): string {
  if (list.isPending) return list.isPaused ? messages.offline : messages.loading;
  if (list.isError || list.isPlaceholderData || list.images.length > 0) return '';
  if (search !== '') return messages.nothingFound;
  return isUnused ? messages.noneUnused : messages.empty;
}

function FetchFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div role="alert">
      <Notice kind="error">
        <p>
          <b>{messages.fetchFailed.text}</b>: {describeError(error)}
        </p>
        <p>
          <Button isSmall kind="line" onClick={onRetry}>
            Try again
          </Button>
        </p>
      </Notice>
    </div>
  );
}

/** Where the list goes on. The keyboard goes on with the first image that came. */
function More({ list }: { readonly list: ReturnType<typeof useMedia> }) {
  const { images, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const place = useRef<HTMLDivElement>(null);
  const awaited = useRef<number | null>(null);

  useEffect(() => {
    if (awaited.current === null || images.length <= awaited.current) return;
    const cards = place.current?.parentElement?.querySelectorAll<HTMLElement>('.media-card');
    cards?.[awaited.current]?.focus();
    awaited.current = null;
  }, [images.length]);

  const handleClick = () => {
    if (isFetchingNextPage) return;
    awaited.current = images.length;
    void fetchNextPage();
  };

  const shown = images.length === 1 ? '1 image' : `${images.length} images`;
  return (
    <div ref={place} className="list-more">
      <p role="status" className="quiet numeric">
        {hasNextPage ? `${shown} shown, there are more.` : `${shown} shown, no more to load.`}
      </p>
      {hasNextPage ? (
        <Button kind="line" aria-disabled={isFetchingNextPage} onClick={handleClick}>
          {isFetchingNextPage ? 'Loading more images...' : 'Load more images'}
        </Button>
      ) : null}
    </div>
  );
}
