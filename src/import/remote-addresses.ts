import type { Config } from '../config/config.js';
import { isRemoteAddress } from '../posts/content/remote-images.js';
import { unescapeMarkup } from '../posts/content/markup-tree.js';
import { toOwnAddresses } from '../posts/post.presenter.js';
import { showingFields, specOf } from '../shared/contracts/post-fields.js';

interface Found {
  readonly post_id: string;
  readonly address: string;
  readonly is_html: boolean;
}

/** Asks a database. */
export type Ask = (sql: string) => Promise<readonly unknown[]>;

const addresses = showingFields.map((name) =>
  specOf(name).kind === 'html'
    ? `select match[1], true from regexp_matches(fields->>'${name}', '<img src="([^"]*)"', 'g') as match`
    : `select fields->>'${name}', false`,
);

/** Rows as JSON, so that a column that comes with a later version of the schema may be missing. */
const FIND = `
  select distinct post_id, address, is_html from (
    select id as post_id, to_jsonb(post) as fields from blog_posts as post
    union all select id, working_copy->'fields' from blog_posts where working_copy is not null
    union all select post_id, fields from post_revisions
  ) as texts, lateral (${addresses.join(' union all ')}) as shown (address, is_html)
  where address ~* '^https?:'
  order by post_id, address`;

/**
 * Finds the pictures of other sites that posts show: as they are saved, in edits that wait and in versions, also in the
 * trash.
 * @returns addresses by the id of the post
 */
export async function findRemoteAddresses(ask: Ask, config: Config): Promise<Map<string, Set<string>>> {
  const own = toOwnAddresses(config);
  const posts = new Map<string, Set<string>>();
  for (const { post_id: id, address: written, is_html: isHtml } of (await ask(FIND)) as readonly Found[]) {
    const address = isHtml ? unescapeMarkup(written) : written;
    if (isRemoteAddress(address, own)) posts.set(id, (posts.get(id) ?? new Set()).add(address));
  }
  return posts;
}
