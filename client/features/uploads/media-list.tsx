import { FetchFailure } from '../../components/fetch-failure.js';
import { LoadMore } from '../../components/load-more.js';
import { mediaMessages as messages } from '../../content/media.js';
import { MediaCard } from './media-card.js';
import type { useMediaActions } from './use-media-actions.js';
import { useMedia, type MediaFilter } from './use-media.js';

interface MediaListProps {
  readonly filter: MediaFilter;
  readonly actions: Pick<ReturnType<typeof useMediaActions>, 'busyIds' | 'remove' | 'describe' | 'replace'>;
}

/** The images of one filter. */
export function MediaList({ filter, actions }: MediaListProps) {
  const list = useMedia(filter);
  const { images, error } = list;
  return (
    <div aria-busy={list.isFetching}>
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={images.length > 0} />
      <p role="status" className={images.length === 0 && !error && !list.isPaused ? 'list-note' : 'visually-hidden'}>
        {noteOf(list, filter)}
      </p>
      {images.length > 0 ? (
        <>
          <ul role="list" className="media-grid">
            {images.map((image) => (
              <li key={image.id}>
                <MediaCard
                  image={image}
                  isBusy={actions.busyIds.has(image.id)}
                  onRemove={() => void actions.remove(image)}
                  onDescribe={(...words) => actions.describe(image, ...words)}
                  onReplace={(file) => void actions.replace(image, file)}
                />
              </li>
            ))}
          </ul>
          <LoadMore count={list.images.length} nouns={['image', 'images']} itemSelector=".media-card" list={list} />
        </>
      ) : null}
    </div>
  );
}

function noteOf(list: ReturnType<typeof useMedia>, { search, isUnused }: MediaFilter): string {
  if (list.isPaused) return '';
  if (list.isPending) return messages.loading;
  if (list.isError || list.isPlaceholderData || list.images.length > 0) return '';
  if (search !== '') return messages.nothingFound;
  return isUnused ? messages.noneUnused : messages.empty;
}
