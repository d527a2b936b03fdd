/** The last parts of addresses below /blogs that belong to the blog itself: no post can have them (product.md 5.3). */
export const RESERVED_SLUGS: readonly string[] = ['archive', 'category', 'tag', 'author', 'feed', 'search'];

/** Returns true for a slug that no post can have. Addresses are compared without regard to capitals. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.includes(slug.toLowerCase());
}

/** The slug that a post gets instead of a reserved one, always the same; other slugs stay as they are. */
export function toUnreservedSlug(slug: string): string {
  return isReservedSlug(slug) ? `${slug}-post` : slug;
}
