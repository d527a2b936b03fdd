import { paths } from '../shared/paths.js';
import { isReservedSlug, toUnreservedSlug } from '../shared/reserved-slugs.js';
import type { SourcePost } from './source-post.js';

/**
 * Gives a post whose slug is reserved another one, always the same, so that the next import finds it unchanged. What an
 * earlier release exported keeps its address, which leads to the new one.
 */
export function withUnreservedSlug(post: SourcePost): SourcePost {
  if (!isReservedSlug(post.slug)) return post;
  const slug = toUnreservedSlug(post.slug);
  const warning = `the slug '${post.slug}' is reserved, so the post is at ${paths.blog(slug)}`;
  const oldPaths = post.isExact ? [...post.oldPaths, paths.blog(post.slug)] : post.oldPaths;
  return { ...post, slug, oldPaths, warnings: [...post.warnings, warning] };
}
