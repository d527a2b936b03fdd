import type { EntityManager } from '@mikro-orm/postgresql';
import { toTermSlug, type ListedKind, type TermAddress } from '../../shared/term-addresses.js';
import type { PostRow } from '../post.entity.js';

type Source = Pick<PostRow, 'id' | 'category' | 'tags' | 'author'>;

interface NamedTerm extends TermAddress {
  readonly name: string;
}

/** The two parts touch different rows, so that they can be one statement. */
const REPLACE = `
  with given as (
    select * from jsonb_to_recordset(?::jsonb) as line (post_id uuid, kind text, slug text, name text)
  ),
  gone as (
    delete from post_terms
    where post_id = any(?::uuid[]) and (post_id, kind, slug) not in (select post_id, kind, slug from given)
  )
  insert into post_terms (post_id, kind, slug, name, published_date)
  select post.id, given.kind, given.slug, given.name, post.published_date
  from given join blog_posts post on post.id = given.post_id
  on conflict (post_id, kind, slug) do update set name = excluded.name, published_date = excluded.published_date`;

/** Notes the terms of posts that readers see, each named once, in the transaction that writes the posts. */
export async function writePostTerms(em: EntityManager, posts: readonly Source[]): Promise<void> {
  if (posts.length === 0) return;
  const given = posts.flatMap((post) => termsOf(post).map((term) => ({ post_id: post.id, ...term })));
  await em.execute(REPLACE, [JSON.stringify(given), `{${posts.map(({ id }) => id).join()}}`]);
}

/** The terms of a post that have pages. Of two tags with one page, it has the first. */
function termsOf({ category, tags, author }: Source): NamedTerm[] {
  const named = [
    ...(category ? [toTerm('category', category)] : []),
    toTerm('author', author),
    ...(tags ?? []).map((tag) => toTerm('tag', tag)),
  ].filter((term) => term !== null);
  return [...new Map(named.map((term) => [`${term.kind}/${term.slug}`, term] as const).reverse()).values()];
}

function toTerm(kind: ListedKind, name: string): NamedTerm | null {
  const slug = toTermSlug(name);
  return slug === null ? null : { kind, slug, name };
}
