import { useState } from 'react';
import type { MediaItem } from '../../../src/shared/contracts/media.js';
import { Button } from '../../components/button.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { LoadMore } from '../../components/load-more.js';
import { Modal } from '../../components/modal.js';
import { SearchField } from '../../components/search-field.js';
import { mediaMessages as messages } from '../../content/media.js';
import { nameOf } from './media-card.js';
import { useMedia } from './use-media.js';

interface MediaPickerProps {
  readonly onChoose: (image: MediaItem) => void;
  readonly onClose: () => void;
}

/** A dialog in which one of the images of the library is chosen. */
export function MediaPicker({ onChoose, onClose }: MediaPickerProps) {
  const [search, setSearch] = useState('');
  const list = useMedia({ search, isUnused: false }, true);
  const { images } = list;
  const isLoading = list.isPending && !list.isPaused;
  const isEmpty = list.isSuccess && !list.isPlaceholderData && images.length === 0;
  return (
    <Modal title={messages.choose} isWide onClose={onClose}>
      <div role="search" className="filters">
        <SearchField label={messages.search} value={search} onSearch={setSearch} />
      </div>
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={images.length > 0} />
      <p role="status" className={isEmpty || isLoading ? 'list-note' : 'visually-hidden'}>
        {isLoading ? messages.loading : null}
        {isEmpty ? (search === '' ? messages.empty : messages.nothingFound) : null}
      </p>
      <div className="picker-images">
        <ul role="list" className="picker-grid">
          {images.map((image) => (
            <li key={image.id}>
              <button type="button" className="picker-image" onClick={() => onChoose(image)}>
                <img src={image.thumbnail} alt={image.alt} loading="lazy" decoding="async" />
                <span>{nameOf(image)}</span>
              </button>
            </li>
          ))}
        </ul>
        {images.length > 0 ? (
          <LoadMore count={images.length} nouns={['image', 'images']} itemSelector=".picker-image" list={list} />
        ) : null}
      </div>
      <div className="row">
        <Button kind="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Modal>
  );
}
