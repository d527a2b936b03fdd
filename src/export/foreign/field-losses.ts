import { propertyOf } from '../../posts/post-columns.js';
import { specOf, transferredFields, type PostField } from '../../shared/contracts/post-fields.js';
import type { ExportedRow } from '../exported-post.js';

/** The fields that WordPress and Ghost have a place for. */
const carriedFields: readonly PostField[] = [
  ...(['title', 'slug', 'excerpt', 'content', 'author', 'category', 'tags'] as const),
  ...(['image_url', 'image_alt', 'image_caption'] as const),
  ...(['seo_title', 'seo_description', 'social_image', 'canonical_url'] as const),
];

/** Names the fields of a post that have a value and no place in the formats of other systems. */
export function findFieldLosses(row: ExportedRow): string[] {
  return transferredFields
    .filter((name) => !carriedFields.includes(name) && hasValue(row[propertyOf(name)]))
    .map((name) => {
      const { label, describes } = specOf(name);
      return `the ${label.toLowerCase()}${describes === undefined ? '' : ' of the picture'}`;
    });
}

function hasValue(value: string | readonly string[] | null | undefined): boolean {
  return (value ?? '').length > 0;
}
