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
