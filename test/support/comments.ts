import { EntityManager } from '@mikro-orm/postgresql';
import { PostComment } from '../../src/posts/comments/post-comment.entity.js';
import { Post } from '../../src/posts/post.entity.js';
import type { TestApp } from './create-test-app.js';

/** A comment as an import brings it; the text is HTML that is clean. */
export interface WrittenComment {
  readonly author: string;
  readonly html: string;
  readonly authorUrl?: string;
  /** The place in the list of the one that it answers. */
  readonly answers?: number;
}

/** Stores comments below a post, in their order. */
export async function createComments(app: TestApp, slug: string, comments: readonly WrittenComment[]): Promise<void> {
  const em = app.get(EntityManager).fork();
  const post = await em.findOneOrFail(Post, { slug });
  for (const [index, { author, html, authorUrl = null, answers }] of comments.entries()) {
    em.create(PostComment, {
      ...{ post, sourceId: String(index), author, authorUrl, html, removedAt: null },
      parentId: answers === undefined ? null : String(answers),
      writtenAt: new Date(Date.UTC(2015, 0, 1, 0, index)),
    });
  }
  await em.flush();
}
