import { imageFields, mapFields, transferredFields, type PostTexts } from '../shared/contracts/post-fields.js';
import { findFileNames, mediaIdOf } from '../shared/media-files.js';
import { MEDIA_PATH } from '../shared/media.js';
import { paths } from '../shared/paths.js';
import { propertiesOf, propertyOf } from '../posts/post-columns.js';
import type { BroughtComment } from '../posts/comments/comments.service.js';
import type { PostRow } from '../posts/post.entity.js';
import { readTexts } from '../posts/post-texts.js';
import { withAddresses, type ImageAddresses } from './content-markdown.js';

/** The columns of a post that an export reads. */
export const exportedFields = [
  'id',
  ...propertiesOf(transferredFields),
  'publishedDate',
  'isDateChosen',
  'isPublished',
  'firstPublishedAt',
  'scheduledAt',
  'createdAt',
  'updatedAt',
  'keptAt',
] as const;

/** The columns of a post that its export tells, or depends on. */
export type ExportedRow = Pick<PostRow, (typeof exportedFields)[number]>;

/** A post as it is exported. */
export interface ExportedPost {
  readonly row: ExportedRow;
  /** Paths of this site at which it could be read before, and those that lead to it. */
  readonly oldPaths: readonly string[];
  /** Comments that came with it from another site; none where it is edited and not exported. */
  readonly comments: readonly BroughtComment[];
}

/** The loss of formats that have no place for comments. */
export function lossOfComments({ comments }: ExportedPost): string[] {
  return comments.length === 0 ? [] : ['comments'];
}

/**
 * The date of a post that has one. A draft whose date nobody chose has none: it will be that of its publication.
 */
export function dateOf({ isDateChosen, isPublished, firstPublishedAt, publishedDate }: ExportedRow): Date | null {
  return isDateChosen || isPublished || firstPublishedAt ? publishedDate : null;
}

/** The fields of a post with the images that were exported by the paths that they have there. */
export function toExportedTexts(
  row: ExportedRow,
  images: ImageAddresses,
): PostTexts<(typeof transferredFields)[number]> {
  const texts = readTexts(row, transferredFields);
  return mapFields(transferredFields, (name, { kind }) => {
    const value = texts[name];
    if (typeof value !== 'string') return value;
    if (kind === 'html') return withAddresses(value, images);
    return kind === 'image' ? (images.get(value) ?? value) : value;
  });
}

/** The stored files that a post shows or plays, by name, each once. */
export function shownFiles(row: ExportedRow): string[] {
  const addresses = imageFields.map((name) => row[propertyOf(name)] ?? '');
  const tags = row.content.match(/<(?:img|audio|video|track) [^>]*>/g) ?? [];
  const inContent = tags.flatMap((tag) => [...tag.matchAll(/ (?:src|poster)="([^"]*)"/g)].map(([, of]) => of ?? ''));
  return findFileNames(...[...addresses, ...inContent].filter(isOurs));
}

/** The stored files that a post links to without showing them, by name: they are not exported. */
export function linkedFiles(row: ExportedRow): string[] {
  const shown = new Set(shownFiles(row));
  const links = [...row.content.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address ?? '');
  return findFileNames(...links.filter(isOurs)).filter((name) => !shown.has(name));
}

function isOurs(address: string): boolean {
  return address.startsWith(MEDIA_PATH) && mediaIdOf(address.slice(MEDIA_PATH.length)) !== null;
}

/**
 * The paths at which a post could be read before, in a stable order.
 * @param formerSlugs slugs at which it was published
 * @param redirects paths that lead to it, or to where it was
 */
export function oldPathsOf(slug: string, formerSlugs: readonly string[], redirects: readonly string[]): string[] {
  const all = new Set([...formerSlugs.map((former) => paths.blog(former)), ...redirects]);
  all.delete(paths.blog(slug));
  return [...all].sort();
}
