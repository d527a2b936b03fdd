import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { RedirectsService } from '../redirects/redirects.service.js';
import type { ExportOptions } from '../shared/contracts/export-report.js';
import { paths } from '../shared/paths.js';
import { readComments } from '../posts/comments/comments.service.js';
import { PostSlug } from '../posts/post-slug.entity.js';
import { Post, type PostRow } from '../posts/post.entity.js';
import { exportedFields, oldPathsOf, type ExportedPost, type ExportedRow } from './exported-post.js';

/** Posts that are in memory at a time. */
const BATCH_SIZE = 100;

/** The posts that an export is of: never those in the trash. */
export function toFilter({ isPublishedOnly, tags, category, slugs }: ExportOptions): FilterQuery<PostRow> {
  return {
    deletedAt: null,
    ...(isPublishedOnly === true ? { isPublished: true } : {}),
    ...(tags === undefined ? {} : { tags: { $contains: tags.map(compose) } }),
    ...(category === undefined ? {} : { category: compose(category) }),
    ...(slugs === undefined ? {} : { slug: { $in: slugs.map(compose) } }),
  };
}

/** Returns those of the named slugs that no post has, but for those in the trash. */
export async function findUnknownSlugs(em: EntityManager, slugs: readonly string[]): Promise<string[]> {
  if (slugs.length === 0) return [];
  const where = { slug: { $in: slugs.map(compose) }, deletedAt: null };
  const found = await em.find(Post, where, { fields: ['slug'], disableIdentityMap: true });
  const known = new Set(found.map(({ slug }) => slug));
  return [...new Set(slugs)].filter((slug) => !known.has(compose(slug)));
}

/** Letters as posts have them, whichever way a keyboard or the name of a file writes their accents. */
function compose(name: string): string {
  return name.normalize('NFC');
}

/** Reads the posts by their ids, in batches, in the transaction of `em`. */
export async function* readExportedPosts(
  em: EntityManager,
  filter: FilterQuery<PostRow>,
  redirects: RedirectsService,
): AsyncGenerator<ExportedPost> {
  let last: string | null = null;
  for (;;) {
    const where: FilterQuery<PostRow> = last === null ? filter : { $and: [filter, { id: { $gt: last } }] };
    const rows: ExportedRow[] = await em.find(Post, where, {
      fields: exportedFields,
      orderBy: { id: 'asc' },
      limit: BATCH_SIZE,
      disableIdentityMap: true,
    });
    const comments = await readComments(
      em,
      rows.map(({ id }) => id),
    );
    const posts = await withOldPaths(em, rows, redirects);
    yield* posts.map((post) => ({ ...post, comments: comments.get(post.row.id) ?? [] }));
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.id ?? null;
  }
}

/** One post of any state, by its slug, with its version and who kept edits of it; null if there is none. */
export async function readPost(em: EntityManager, slug: string, redirects: RedirectsService) {
  const row = await em.findOne(
    Post,
    { slug: compose(slug) },
    {
      fields: [...exportedFields, 'version', 'deletedAt', 'keptBy.email'],
      populate: ['keptBy'],
      disableIdentityMap: true,
    },
  );
  const [post] = row === null ? [] : await withOldPaths(em, [row], redirects);
  return row === null || post === undefined ? null : { ...post, row };
}

async function withOldPaths(
  em: EntityManager,
  rows: readonly ExportedRow[],
  redirects: RedirectsService,
): Promise<ExportedPost[]> {
  const former = await em.find(
    PostSlug,
    { post: { $in: rows.map(({ id }) => id) } },
    { orderBy: { slug: 'asc' }, disableIdentityMap: true },
  );
  const slugsOf = (row: ExportedRow) => former.flatMap(({ post, slug }) => (post.id === row.id ? [slug] : []));
  const addresses = rows.map((row) => [row.slug, ...slugsOf(row)].map((slug) => paths.blog(slug)));
  const sources = await redirects.findSources(em, addresses.flat());
  return rows.map((row, index) => {
    const leading = (addresses[index] ?? []).flatMap((address) => sources.get(address) ?? []);
    return { row, oldPaths: oldPathsOf(row.slug, slugsOf(row), leading), comments: [] };
  });
}
