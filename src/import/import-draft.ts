import { createHash } from 'node:crypto';
import { imageFields } from '../shared/contracts/post-fields.js';
import { linkImages, moveImages } from '../posts/content/remote-images.js';
import { isEmptyContent } from '../posts/content/plain-text.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { propertyOf } from '../posts/post-columns.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { TakenImages } from './images/image-taker.js';
import { escapeHtml } from './html-text.js';
import { findImageTags, replaceImages } from './markdown/markdown.js';
import type { PendingFile, PendingImage } from './images/pending-image.js';
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
  /** Files that it plays; placeholders as well. */
  readonly files: readonly PendingFile[];
  /** Images that were not found, in words; the fields are without them. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}

type PlacedImages = Pick<TakenImages, 'addresses' | 'unfetched'>;

/** The fields with the images that were taken instead of placeholders, and with links to those that stay elsewhere. */
export function placeImages(fields: PostFields, { addresses, unfetched }: PlacedImages): PostFields {
  const images = imageFields.map((name) => {
    const value = fields[propertyOf(name)];
    const address = unfetched.has(value ?? '') ? null : addresses.get(value ?? '');
    return [propertyOf(name), address === undefined ? value : address] as const;
  });
  const isLosingImage = unfetched.has(fields.imageUrl ?? '') || addresses.get(fields.imageUrl ?? '') === null;
  const content = placeInText(fields.content, { addresses, unfetched });
  return {
    ...fields,
    ...Object.fromEntries(images),
    ...(isLosingImage ? { imageAlt: null } : {}),
    content: isEmptyContent(content) ? `<p>${escapeHtml(fields.title)}</p>` : content,
  };
}

/** Returns true for a text that is nothing without the images that are left out: {@link placeImages} puts the title in its place. */
export function isNothingWithout({ content }: PostFields, placed: PlacedImages): boolean {
  return isEmptyContent(placeInText(content, placed));
}

/** Text is escaped, so that an address of a placeholder can only be one that the importer itself has put there. */
function placeInText(content: string, { addresses, unfetched }: PlacedImages): string {
  const given = [...addresses].filter((entry): entry is [string, string] => entry[1] !== null);
  const elsewhere = new Set(given.flatMap(([placeholder, address]) => (unfetched.has(placeholder) ? address : [])));
  const leftOut = findImageTags(content).filter(({ attributes }) => addresses.get(attributes['src'] ?? '') === null);
  const rest = replaceImages(
    content,
    leftOut,
    leftOut.map(() => null),
  );
  const placed = movePlayers(moveImages(rest, new Map(given)), addresses, unfetched);
  if (elsewhere.size === 0) return placed;
  return sanitizeContent(linkImages(placed, (address) => elsewhere.has(address)));
}

/** A tag of a player, as the sanitizer spells it: no value has a bracket. */
const playerTag = /<(?:audio|video|track) [^>]*>/g;

/** The text with the files that players play and show; a poster that is not here is left out. */
function movePlayers(html: string, addresses: PlacedImages['addresses'], unfetched: PlacedImages['unfetched']): string {
  return html.replace(playerTag, (tag) =>
    tag.replace(/ (src|poster)="([^"]*)"/g, (attribute, name: string, placeholder: string) => {
      const address = unfetched.has(placeholder) ? null : addresses.get(placeholder);
      if (address === undefined) return attribute;
      return address === null ? '' : ` ${name}="${address}"`;
    }),
  );
}

/** Changes when the source of the post or one of its files changes: 16 hexadecimal digits. */
export function hashSource({ post, images, files: played }: ImportDraft): string {
  const { title, slug, excerpt, author, category, tags, image, date, isPublished } = post;
  const written = [title, slug, excerpt, author, category, tags, image?.address, image?.alt, post.html];
  const times = [date, post.createdAt, post.updatedAt, post.scheduledAt].map((time) => time?.toISOString());
  const place = [post.id, post.folder, post.baseUrl, post.oldPaths, post.isExact];
  const files = [...images.map(({ identity }) => identity), ...played.map(({ file }) => file.sha256)];
  // Posts without them have the hash that they had before there were such fields.
  const named = Object.entries(post.named ?? {}).filter(([, value]) => value !== null);
  const text = JSON.stringify([READER_VERSION, written, times, isPublished, place, files, ...named]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
