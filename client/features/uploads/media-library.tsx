import { useDeferredValue, useId, useState } from 'react';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { mediaMessages as messages } from '../../content/media.js';
import { FileDrop } from './file-drop.js';
import { MediaList } from './media-list.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { UploadProgress } from './upload-progress.js';
import { ACCEPTED_TYPES } from './upload-rules.js';
import { useMediaActions } from './use-media-actions.js';
import type { MediaFilter } from './use-media.js';

/** All images: seen with where they are shown, added, and removed when nothing shows them. */
export function MediaLibrary() {
  const [filter, setFilter] = useState<MediaFilter>({ search: '', isUnused: false });
  const shownFilter = useDeferredValue(filter);
  const actions = useMediaActions();
  return (
    <>
      <Uploader actions={actions} />
      <OutcomeNotice outcome={actions.outcome} onDismiss={actions.dismiss} />
      <Filters filter={filter} onChange={setFilter} />
      <MediaList filter={shownFilter} busyId={actions.busyId} onRemove={(image) => void actions.remove(image)} />
    </>
  );
}

function Uploader({ actions }: { readonly actions: ReturnType<typeof useMediaActions> }) {
  const id = useId();
  const { upload, uploadAll } = actions;
  return (
    <div className="field">
      <label htmlFor={id}>Upload images</label>
      <FileDrop onFiles={(files) => void uploadAll(files)}>
        <input
          id={id}
          type="file"
          multiple
          accept={ACCEPTED_TYPES.join(',')}
          aria-describedby={`${upload.error ? `${id}-error ` : ''}${id}-hint`}
          aria-invalid={upload.error ? true : undefined}
          onChange={({ target }) => {
            void uploadAll([...(target.files ?? [])]);
            // So that the same file can be chosen again.
            target.value = '';
          }}
        />
        <UploadProgress share={upload.share} onCancel={upload.cancel} />
      </FileDrop>
      {upload.error ? (
        <p className="field-error" id={`${id}-error`}>
          <Icon shape={signs.alert} />
          {upload.error}
        </p>
      ) : null}
      <p className="field-hint" id={`${id}-hint`}>
        {messages.formats} Choose some, or drop them here.
      </p>
    </div>
  );
}

interface FiltersProps {
  readonly filter: MediaFilter;
  readonly onChange: (filter: MediaFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      <input
        className="filter-search"
        type="search"
        aria-label="Search by the title of a post"
        placeholder="Search by the title of a post"
        value={filter.search}
        onChange={({ target }) => onChange({ ...filter, search: target.value })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isUnused}
          onChange={({ target }) => onChange({ ...filter, isUnused: target.checked })}
        />
        <span>Only those not shown anywhere</span>
      </label>
    </form>
  );
}
