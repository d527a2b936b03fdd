import { useId, useRef } from 'react';
import type { MediaItem, MediaUse } from '../../../src/shared/contracts/media.js';
import { ALTERNATIVE_TEXT_MAX } from '../../../src/shared/limits.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Day } from '../../components/moment.js';
import { countMore } from '../../content/count-more.js';
import { isOfPage, isReplaceable, mediaMessages, useWords } from '../../content/media.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { ACCEPTED_TYPES } from './upload-rules.js';
import { useTypedWords } from './use-typed-words.js';

/** Places that a card names: thousands of posts may share an image. */
const MOST_PLACES = 20;

interface MediaCardProps {
  readonly image: MediaItem;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
  /** Takes the words, those they were written over, and who is to hear which words are there now. */
  readonly onDescribe: (alt: string, before: string, learn: (words: string) => void) => Promise<boolean>;
  /** Takes the file that is to be shown everywhere instead. */
  readonly onReplace: (file: File) => void;
}

/** One image with its name, its words and its uses. */
export function MediaCard({ image, isBusy, onRemove, onDescribe, onReplace }: MediaCardProps) {
  const id = useId();
  const name = nameOf(image);
  const isAdmin = useAdminApi().person.role === 'admin';
  return (
    <article className="media-card" aria-labelledby={id} tabIndex={-1}>
      <a className="media-thumb" href={image.url} target="_blank" rel="noopener">
        <img src={image.thumbnail} alt="" width={image.width} height={image.height} loading="lazy" decoding="async" />
        <span className="visually-hidden">Open {name} (opens in a new tab)</span>
      </a>
      <div className="media-text">
        <h2 id={id}>{name}</h2>
        <p className="quiet numeric">
          {image.file_name === null ? null : `${image.width} × ${image.height} px, `}
          {formatBytes(image.bytes)}, <Day at={image.created_at} />
        </p>
        {image.uses.length > 0 ? (
          <Uses uses={image.uses} />
        ) : (
          <Badge kind="quiet">{isAdmin ? mediaMessages.unused : mediaMessages.notInYours}</Badge>
        )}
      </div>
      {isAdmin ? (
        <>
          <AlternativeForm imageId={image.id} name={name} alt={image.alt} isBusy={isBusy} onSave={onDescribe} />
          <div className="row-actions">
            {isReplaceable(image.uses) ? <ReplaceButton name={name} isBusy={isBusy} onReplace={onReplace} /> : null}
            {image.uses.length > 0 ? null : (
              // Not disabled: the focus would be lost.
              <Button kind="line" isSmall className="btn-danger" aria-disabled={isBusy} onClick={onRemove}>
                <span>
                  Remove<span className="visually-hidden"> {name}</span>
                </span>
              </Button>
            )}
          </div>
        </>
      ) : null}
    </article>
  );
}

interface AlternativeFormProps {
  readonly imageId: string;
  readonly name: string;
  readonly alt: string;
  readonly isBusy: boolean;
  readonly onSave: MediaCardProps['onDescribe'];
}

/**
 * The alternative text of the library. Its button appears with the first change. What is typed stays while the list is
 * read anew, and while an earlier text is on its way.
 */
function AlternativeForm({ imageId, name, alt, isBusy, onSave }: AlternativeFormProps) {
  const { text, before, write, learn, settle } = useTypedWords(imageId, alt);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const save = async () => {
    if (!(await onSave(text, before, learn))) return;
    // The button goes with the last change, and would take the focus with it.
    if (field.current?.form?.contains(document.activeElement)) field.current.focus();
    settle(text);
  };
  return (
    <form
      className="media-words"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <label htmlFor={id}>
        Alternative text<span className="visually-hidden"> of {name}</span>
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        maxLength={ALTERNATIVE_TEXT_MAX}
        value={text}
        placeholder={mediaMessages.noAlternative}
        onChange={({ target }) => write(target.value)}
      />
      {text === alt ? null : (
        <Button type="submit" isSmall aria-disabled={isBusy}>
          Save<span className="visually-hidden"> the alternative text of {name}</span>
        </Button>
      )}
    </form>
  );
}

interface ReplaceButtonProps extends Pick<MediaCardProps, 'isBusy' | 'onReplace'> {
  readonly name: string;
}

function ReplaceButton({ name, isBusy, onReplace }: ReplaceButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        kind="line"
        isSmall
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : chooser.current?.click())}
      >
        <span>
          Replace<span className="visually-hidden"> {name}</span>
        </span>
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={`Another image for ${name}`}
        accept={ACCEPTED_TYPES.join(',')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onReplace(file);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

/** Names an image by its file, or by its size and the first letters of its address where nobody knows that. */
export function nameOf(image: Pick<MediaItem, 'file_name' | 'width' | 'height' | 'id'>): string {
  const { file_name: fileName, width, height, id } = image;
  return fileName ?? `${width} × ${height} px, ${id.slice(0, 6)}`;
}

function Uses({ uses }: { readonly uses: readonly MediaUse[] }) {
  const places = byPlace(uses);
  const shown = places.slice(0, MOST_PLACES);
  const more = countMore(shown.length, places.length);
  return (
    <ul role="list" className="media-uses" aria-label="Shown in">
      {shown.map(({ key, address, title, words }) => (
        <li key={key}>
          <a href={address}>{title}</a>
          {words ? <span className="quiet"> ({words})</span> : null}
        </li>
      ))}
      {more === null ? null : <li className="quiet">{more}</li>}
    </ul>
  );
}

/** One place for each post, fact or page, which says in words where in it the image is shown when that is not what is public. */
function byPlace(uses: readonly MediaUse[]) {
  const found = new Map<string, [MediaUse, ...MediaUse[]]>();
  for (const use of uses) {
    const key = use.post_id ?? use.title;
    const own = found.get(key);
    if (own === undefined) found.set(key, [use]);
    else own.push(use);
  }
  return [...found].map(([key, own]) => {
    const [first] = own;
    const isPublic = own.some(({ kind }) => useWords[kind] === '');
    const words = isPublic ? '' : own.map(({ kind }) => useWords[kind]).join(', ');
    const { post_id: postId, title, kind } = first;
    if (isOfPage(kind)) return { key, address: paths.admin.pages, title: mediaMessages.ofPage(title), words };
    return postId === null
      ? { key, address: paths.admin.company, title: mediaMessages.ofCompany(title), words }
      : { key, address: paths.admin.blog(postId), title: title || '(no title yet)', words };
  });
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
