import type { EntityManager } from '@mikro-orm/postgresql';

/** Things that {@link fillTables} puts in and tests ask for. */
export const SEEDED = {
  postId: '00000000-0000-4000-8000-000000000077',
  slug: 'post-77',
  /** Somebody who looks after few enquiries. */
  assigneeId: '00000000-0000-4000-8000-00000000a551',
  /** Only one title has it. */
  titleWord: 'c81e728d9d4c2f636f067f89cc14862c',
} as const;

const POSTS = 10_000;
const AUDIT_LINES = 100_000;
const ENQUIRIES = 10_000;
const USERS = 5_000;

const statements = [
  `insert into blog_posts (id, slug, title, content, author, category, tags, is_published, published_date, created_at,
     updated_at, image_url)
   select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'post-' || n, md5(n::text),
     repeat('<p>text</p>', 50), 'Author ' || n % 20, 'Category ' || n % 30, array['tag-' || n % 50], n % 10 > 0,
     timestamptz '2020-01-01' + n * interval '1 hour', timestamptz '2024-01-01' + n * interval '1 minute',
     timestamptz '2025-01-01' + n * interval '1 minute', null
   from generate_series(1, ${POSTS}) n`,
  `insert into post_terms (post_id, kind, slug, name, published_date)
   select id, kind, replace(lower(name), ' ', '-'), name, published_date from blog_posts,
     lateral (values ('category', category), ('tag', tags[1]), ('author', author)) term (kind, name) where is_published`,
  `insert into post_slugs (slug, post_id) select 'former-' || slug, id from blog_posts`,
  `insert into post_revisions (post_id, version, reason, title, fields, is_published, created_at)
   select id, n, 'saved', title, '{}', false, now() from blog_posts, generate_series(1, 3) n`,
  `insert into images (id, name, source_hash, byte_size, file_name, created_at)
   select md5(n::text), md5(n::text) || '-100x100.png', md5(n::text) || md5(n::text), 1000, 'photo ' || n || '.png',
     timestamptz '2024-01-01' + n * interval '1 minute' from generate_series(1, ${POSTS}) n`,
  `insert into image_uses (image_id, post_id, kind)
   select md5(n::text), ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'post'
   from generate_series(1, ${POSTS}) n where n % 50 > 0`,
  // Nearly everything is done by few people, as it is.
  `insert into audit_log (at, actor_kind, actor_email, action, subject_type, subject_id, subject)
   select timestamptz '2024-01-01' + n * interval '1 minute',
     case when n % 1000 = 0 then 'operator' when n % 1000 = 1 then 'system' else 'user' end,
     case when n % 1000 > 1 then 'admin-' || n % 3 || '@example.com' end,
     case when n % 5000 = 0 then 'user.banned' when n % 2 = 0 then 'post.published' else 'post.saved' end,
     case when n % 5000 = 0 then 'user' else 'post' end, 'subject-' || n % 2000, 'Title ' || n
   from generate_series(1, ${AUDIT_LINES}) n`,
  `insert into enquiries (id, idempotency_key, name, email, message, delivery, message_id, created_at, sent_at, handled_at)
   select gen_random_uuid(), md5(n::text) || md5(n::text), 'Person ' || n, 'person-' || n || '@example.com',
     'A question about ' || md5(n::text), case when n % 2000 = 0 then 'failing' when n % 2000 = 1 then 'waiting' else 'sent' end,
     '<' || n || '@example.com>', timestamptz '2024-01-01' + n * interval '1 minute', now(),
     case when n % 1000 > 1 then now() end
   from generate_series(1, ${ENQUIRIES}) n`,
  `update enquiries set opened_at = now(), answered_at = case when message < 'A question about 4' then now() end
   where message < 'A question about 8'`,
  `insert into auth.users (aud, role, email, created_at)
   select 'authenticated', 'authenticated', 'someone-' || n || '@example.com', timestamptz '2024-01-01' + n * interval '1 minute'
   from generate_series(1, ${USERS}) n`,
  `insert into auth.users (id, aud, role, email) values ('${SEEDED.assigneeId}', 'authenticated', 'authenticated', 'desk@example.com')`,
  `update enquiries set assignee_id = '${SEEDED.assigneeId}' where message < 'A question about 01'`,
];

/** Fills the tables of an empty database as years of use would, and lets the planner know. */
export async function fillTables(em: EntityManager): Promise<void> {
  for (const statement of statements) await em.execute(statement);
  await em.execute('vacuum analyze');
}
