import { createHash } from 'node:crypto';
import { escapeAttribute } from '../content/markup-tree.js';
import { sanitizeContent } from '../content/sanitize-content.js';
import type { PostFields } from '../post-preparation.js';
import type { SourcePost } from './source-post.js';

/** Raised when sources are to be read differently, so that posts already imported are brought up to date. */
const READER_VERSION = 2;

/** An image of a post that is still to be taken: a file on the importer's side, or an address to be fetched. */
export interface DraftImage {
  /** The address that stands for it in the fields until it is stored. */
  readonly placeholder: string;
  /** As the post names it, for reports. */
  readonly written: string;
  /** What is known of its contents without fetching it: the hash of a file's bytes, or a remote address. */
  readonly identity: string;
}

/** What became of the images of a draft. */
export interface TakenImages {
  /**
   * By placeholder: the address of the stored image, the remote address of one that could not be fetched, or null
   * for one that is to be left out. In a dry run only images that are stored already have their address here.
   */
  readonly addresses: ReadonlyMap<string, string | null>;
  /** Placeholders of images that were not fetched: the next import tries them again. */
  readonly unfetched: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

/** A post as a source tells it, checked, not written yet. */
export interface ImportDraft {
  readonly post: SourcePost;
  /** Images that are to be taken are placeholders in them. */
  readonly fields: PostFields;
  readonly images: readonly DraftImage[];
  readonly warnings: readonly string[];
}

const PLACEHOLDER = '/media/pending-';

/** The placeholder of the image of that number. */
export function placeholderOf(index: number): string {
  return `${PLACEHOLDER}${index}`;
}

/** The fields with the addresses of images that were taken instead of placeholders. */
export function placeImages(fields: PostFields, addresses: TakenImages['addresses']): PostFields {
  const { imageUrl } = fields;
  return {
    ...fields,
    imageUrl: imageUrl && addresses.has(imageUrl) ? (addresses.get(imageUrl) ?? null) : imageUrl,
    content: placeInContent(fields.content, addresses),
  };
}

function placeInContent(content: string, addresses: TakenImages['addresses']): string {
  // Text is escaped, so this can only be an attribute that the importer itself has put there.
  const placed = content.replace(/<img src="(\/media\/pending-\d+)"[^>]*>/g, (tag, placeholder: string) => {
    const address = addresses.get(placeholder);
    if (address === null) return '';
    return address === undefined ? tag : tag.replace(placeholder, () => escapeAttribute(address));
  });
  return [...addresses.values()].includes(null) ? sanitizeContent(placed) : placed;
}

/** Changes when the source of the post or one of its files changes: 16 hexadecimal digits. */
export function hashSource({ post, images }: ImportDraft): string {
  const { title, slug, excerpt, author, category, tags, image, date, createdAt, isPublished, scheduledAt } = post;
  const written = [title, slug, excerpt, author, category, tags, image?.address, image?.alt, post.html];
  const times = [date, createdAt, scheduledAt].map((time) => time?.toISOString());
  const place = [post.id, post.folder, post.baseUrl, post.oldPaths];
  const files = images.map(({ identity }) => identity);
  const text = JSON.stringify([READER_VERSION, written, times, isPublished, place, files]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
