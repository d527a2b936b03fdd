import { createHash } from 'node:crypto';
import { imageFields } from '../shared/contracts/post-fields.js';
import { escapeAttribute } from '../posts/content/markup-tree.js';
import { propertyOf } from '../posts/post-columns.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { PendingImage } from './images/pending-image.js';
import type { SourcePost } from './source-post.js';

/** Raised when sources are to be read differently, so that posts already imported are brought up to date. */
const READER_VERSION = 2;

/** A post as a source tells it, checked, not written yet. */
export interface ImportDraft {
  readonly post: SourcePost;
  /** Names the post among all there are: the next import finds it by this. */
  readonly sourceKey: string;
  /** Images that are to be taken are placeholders in them. */
  readonly fields: PostFields;
  readonly images: readonly PendingImage[];
  readonly warnings: readonly string[];
}

/**
 * The fields with the addresses of images that were taken instead of placeholders.
 * @param addresses by placeholder
 */
export function placeImages(fields: PostFields, addresses: ReadonlyMap<string, string | null>): PostFields {
  const images = imageFields.map((name) => {
    const placeholder = fields[propertyOf(name)];
    const address = addresses.get(placeholder ?? '');
    return [propertyOf(name), address === undefined ? placeholder : address] as const;
  });
  const { content } = fields;
  return {
    ...fields,
    ...Object.fromEntries(images),
    // Text is escaped, so this can only be an attribute that the importer itself has put there.
    content: content.replace(/<img src="(\/media\/pending-\d+)"/g, (tag, placeholder: string) => {
      const address = addresses.get(placeholder);
      return address == null ? tag : `<img src="${escapeAttribute(address)}"`;
    }),
  };
}

/** Changes when the source of the post or one of its files changes: 16 hexadecimal digits. */
export function hashSource({ post, images }: ImportDraft): string {
  const { title, slug, excerpt, author, category, tags, image, date, isPublished } = post;
  const written = [title, slug, excerpt, author, category, tags, image?.address, image?.alt, post.html];
  const times = [date, post.createdAt, post.updatedAt, post.scheduledAt].map((time) => time?.toISOString());
  const place = [post.id, post.folder, post.baseUrl, post.oldPaths, post.isExact];
  const files = images.map(({ identity }) => identity);
  // Posts without them have the hash that they had before there were such fields.
  const named = Object.entries(post.named ?? {}).filter(([, value]) => value !== null);
  const text = JSON.stringify([READER_VERSION, written, times, isPublished, place, files, ...named]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
