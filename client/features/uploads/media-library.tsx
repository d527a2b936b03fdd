import { useCallback, useId } from 'react';
import { Icon } from '../../components/icon.js';
import { SearchField } from '../../components/search-field.js';
import { signs } from '../../components/signs.js';
import { mediaMessages as messages } from '../../content/media.js';
import { FileDrop } from './file-drop.js';
import { MediaList } from './media-list.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { UploadProgress } from './upload-progress.js';
import { ACCEPTED_TYPES } from './upload-rules.js';
import { useMediaActions } from './use-media-actions.js';
import { useMediaFilter, type MediaFilter } from './use-media.js';

/** All images: found by their words and by posts, added, described, replaced, and removed when nothing shows them. */
export function MediaLibrary() {
  const { filter, change } = useMediaFilter();
  const actions = useMediaActions();
  return (
    <>
      <Uploader actions={actions} />
      <OutcomeNotice outcome={actions.outcome} onDismiss={actions.dismiss} />
      <Filters filter={filter} onChange={change} />
      <MediaList filter={filter} actions={actions} />
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
  readonly onChange: (parts: Partial<MediaFilter>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const handleSearch = useCallback((search: string) => onChange({ search }), [onChange]);
  return (
    <div role="search" className="filters">
      <SearchField label={messages.search} value={filter.search} onSearch={handleSearch} />
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isUnused}
          onChange={({ target }) => onChange({ isUnused: target.checked })}
        />
        <span>Only those not shown anywhere</span>
      </label>
    </div>
  );
}
