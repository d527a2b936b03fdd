import { EntityManager } from '@mikro-orm/postgresql';
import { OPERATOR } from '../../src/shared/actor.js';
import { preparePost } from '../../src/posts/post-preparation.js';
import { BatchService } from '../../src/posts/batch.service.js';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import type { PostInput } from '../../src/shared/contracts/post-input.js';
import type { TestApp } from './create-test-app.js';

let count = 0;

/** Builds a complete input for a post; a test overrides only what it is about. */
export function buildPost(overrides: Partial<PostInput> = {}): PostInput {
  count += 1;
  return {
    title: `Post ${count}`,
    slug: `post-${count}`,
    excerpt: `What post ${count} is about`,
    content: `<p>The text of post ${count}.</p>`,
    author: 'Support desk',
    category: 'Security',
    tags: ['Passwords', 'Email'],
    image_url: null,
    image_alt: null,
    published_date: '2025-01-05T20:00:00Z',
    is_published: true,
    ...overrides,
  };
}

/** Stores posts the way every writer does; published unless a post says otherwise. */
export async function createPosts(app: TestApp, inputs: readonly Partial<PostInput>[]): Promise<PostInput[]> {
  const posts = inputs.map(buildPost);
  const writes = posts.map((post) => ({
    target: null,
    fields: preparePost(post),
    isPublished: post.is_published ?? false,
  }));
  await app.get(ImportedPostsService).savePosts(OPERATOR, writes);
  return posts;
}

/**
 * Stores many posts as fast as the database copies rows: the first and the last the way every writer does, those between
 * as copies of the first that differ in what they say.
 */
export async function createManyPosts(app: TestApp, inputs: readonly Copy[]): Promise<void> {
  const [first, ...others] = inputs;
  const last = others.pop();
  if (!first || !last) throw new Error('Two posts at least are many');
  const [model] = await createPosts(app, [first]);
  const em = app.get(EntityManager).fork();
  await em.execute(
    `insert into blog_posts
     select (jsonb_populate_record(model, given || jsonb_build_object('id', gen_random_uuid()))).*
     from blog_posts model, jsonb_array_elements(?::jsonb) given where model.slug = ?`,
    [JSON.stringify(others), model?.slug],
  );
  await createPosts(app, [last]);
}

/** Fields that a copy of a post may have of its own: texts that are stored as they come, under the names of their columns. */
type Copy = Partial<Pick<PostInput, 'title' | 'slug' | 'excerpt' | 'category' | 'tags' | 'published_date'>>;

/** Does to posts what the command line does; to all of them unless slugs say which. @returns the slugs that it changed */
export async function changePosts(
  app: TestApp,
  kind: 'publish' | 'unpublish' | 'trash',
  slugs?: readonly string[],
): Promise<string[]> {
  const batch = app.get(BatchService);
  const { posts } = await batch.plan(OPERATOR, { kind }, { slugs });
  const changing = posts.filter(({ outcome }) => outcome === 'done');
  await batch.apply(OPERATOR, { kind }, changing);
  return changing.map(({ slug }) => slug);
}
