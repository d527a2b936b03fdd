import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readSource, settings, summarize } from '../../test/support/post-source.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { toPlainText } from '../posts/content/plain-text.js';
import { openGhost } from './ghost/ghost-reader.js';
import type { SourcePost } from './source-post.js';
import { openWordPress } from './wordpress/wordpress-reader.js';

// The blog of one company, as it was in several systems.
const folder = fileURLToPath(new URL('../../test/fixtures/blogs', import.meta.url));

describe('exports of a company', () => {
  const posts: Partial<Record<'wordpress' | 'ghost', Map<string, SourcePost>>> = {};

  beforeAll(async () => {
    const opened = {
      wordpress: openWordPress(`${folder}/wordpress/lindqvist-baer.WordPress.xml`, settings),
      ghost: openGhost(`${folder}/ghost/lindqvist-baer.ghost.json`, settings),
    };
    for (const name of ['wordpress', 'ghost'] as const) {
      const { items, error } = await readSource(opened[name]);
      expect([name, error, items.map(summarize).filter((line) => line.includes('refused'))]).toEqual([name, null, []]);
      posts[name] = new Map(items.flatMap((item) => ('html' in item ? [[item.title, item] as const] : [])));
    }
  });

  it('are read post by post', () => {
    expect(posts.wordpress?.size).toBe(12);
    expect(posts.ghost?.size).toBe(13);
  });

  it('have the same words, whichever system they come from', () => {
    for (const [title, post] of posts.wordpress!) {
      expect(posts.ghost!.has(title)).toBe(true);
      expect([title, wordsOf(post.html)]).toEqual([title, wordsOf(posts.ghost!.get(title)!.html)]);
    }
  });
});

function wordsOf(html: string): string {
  return toPlainText(sanitizeContent(html)).replace(/\s+/g, ' ').trim();
}
