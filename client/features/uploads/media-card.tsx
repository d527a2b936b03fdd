import { useId } from 'react';
import type { MediaItem, MediaUse } from '../../../src/shared/contracts/media.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { mediaMessages, useWords } from '../../content/media.js';
import { formatDay } from '../../lib/format-moment.js';

interface MediaCardProps {
  readonly image: MediaItem;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

/** One image with its size and its uses. */
export function MediaCard({ image, isBusy, onRemove }: MediaCardProps) {
  const id = useId();
  const name = nameOf(image);
  return (
    <article className="media-card" aria-labelledby={id} tabIndex={-1}>
      <a className="media-thumb" href={image.url} target="_blank" rel="noopener">
        <img src={image.thumbnail} alt="" width={image.width} height={image.height} loading="lazy" decoding="async" />
        <span className="visually-hidden">Open {name} (opens in a new tab)</span>
      </a>
      <div className="media-text">
        <h2 id={id}>{name}</h2>
        <p className="quiet numeric">
          {formatBytes(image.bytes)}, {formatDay(image.created_at)}
        </p>
        {image.uses.length > 0 ? <Uses uses={image.uses} /> : <Badge kind="quiet">{mediaMessages.unused}</Badge>}
      </div>
      {image.uses.length > 0 ? null : (
        // Not disabled: the focus would be lost.
        <Button kind="line" isSmall className="btn-danger" aria-disabled={isBusy} onClick={onRemove}>
          <span>
            Remove<span className="visually-hidden"> {name}</span>
          </span>
        </Button>
      )}
    </article>
  );
}

/** Names an image by its size and the first letters of its address, because images have no names. */
export function nameOf({ width, height, id }: Pick<MediaItem, 'width' | 'height' | 'id'>): string {
  return `${width} × ${height} px, ${id.slice(0, 6)}`;
}

function Uses({ uses }: { readonly uses: readonly MediaUse[] }) {
  return (
    <ul role="list" className="media-uses" aria-label="Shown in">
      {byPost(uses).map(({ post_id, title, words }) => (
        <li key={post_id}>
          <a href={paths.admin.blog(post_id)}>{title || '(no title yet)'}</a>
          {words ? <span className="quiet"> ({words})</span> : null}
        </li>
      ))}
    </ul>
  );
}

/** One line for each post, which says in words where in it the image is shown when that is not the post itself. */
function byPost(uses: readonly MediaUse[]) {
  return [...new Set(uses.map(({ post_id }) => post_id))].map((post_id) => {
    const own = uses.filter((use) => use.post_id === post_id);
    const isInPost = own.some(({ kind }) => kind === 'post');
    const words = isInPost ? '' : own.map(({ kind }) => useWords[kind]).join(', ');
    return { post_id, title: own[0]?.title ?? '', words };
  });
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
