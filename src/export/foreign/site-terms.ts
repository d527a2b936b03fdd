import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import { Post, type PostRow } from '../../posts/post.entity.js';
import { slugify } from '../../shared/slug.js';

type Named = Pick<PostRow, 'id' | 'slug' | 'title' | 'author' | 'category' | 'tags' | 'updatedAt'>;

/** Posts that are looked at at a time; they come without their texts. */
const BATCH_SIZE = 1000;

/** Names with the word that stands for each in addresses: every name has one of its own. */
export type NamedTerms = ReadonlyMap<string, string>;

/** Rows that other systems keep beside the posts: few, however many posts there are. */
export interface SiteTerms {
  readonly authors: NamedTerms;
  readonly categories: NamedTerms;
  readonly tags: NamedTerms;
  /** Categories and tags together, for systems that know one kind. */
  readonly terms: NamedTerms;
  /** Slugs of the posts that are exported. */
  readonly slugs: ReadonlySet<string>;
  /** When one of them was changed last. */
  readonly changedAt: Date;
}

/** Reads the names that posts have, in the transaction of `em`. */
export async function readSiteTerms(em: EntityManager, filter: FilterQuery<PostRow>): Promise<SiteTerms> {
  const names = { authors: new Set<string>(), categories: new Set<string>(), tags: new Set<string>() };
  const slugs = new Set<string>();
  let changedAt = new Date(0);
  for (let last: string | null = null; ;) {
    const where: FilterQuery<PostRow> = last === null ? filter : { $and: [filter, { id: { $gt: last } }] };
    const rows: Named[] = await em.find(Post, where, {
      fields: ['id', 'slug', 'title', 'author', 'category', 'tags', 'updatedAt'],
      orderBy: { id: 'asc' },
      limit: BATCH_SIZE,
      disableIdentityMap: true,
    });
    for (const row of rows.filter(({ title }) => title !== '')) {
      slugs.add(row.slug);
      names.authors.add(row.author);
      if (row.category) names.categories.add(row.category);
      for (const tag of row.tags ?? []) names.tags.add(tag);
      if (row.updatedAt > changedAt) changedAt = row.updatedAt;
    }
    last = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH_SIZE) break;
  }
  return {
    authors: withWords(names.authors, 'author'),
    categories: withWords(names.categories, 'category'),
    tags: withWords(names.tags, 'tag'),
    terms: withWords(new Set([...names.categories, ...names.tags]), 'tag'),
    slugs,
    changedAt,
  };
}

/** Names that differ only in signs ('C', 'C++') would have the same word: the later ones get numbers. */
function withWords(names: ReadonlySet<string>, fallback: string): NamedTerms {
  const words = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of [...names].sort()) {
    const base = slugify(name).slice(0, 50).replace(/-+$/, '') || fallback;
    let word = base;
    for (let number = 2; taken.has(word); number += 1) word = `${base}-${number}`;
    taken.add(word);
    words.set(name, word);
  }
  return words;
}
