import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, it } from '@jest/globals';
import { PostsExportService } from '../../src/export/posts-export.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ImportOptions } from '../../src/shared/contracts/import-report.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { readTree } from '../support/read-tree.js';
import { fewOf } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const blogs = fileURLToPath(new URL('../fixtures/blogs', import.meta.url));
const sources: readonly (readonly [name: string, path: string, options?: ImportOptions])[] = [
  ['Jekyll', 'jekyll'],
  ['Hugo', 'hugo'],
  ['Zola', 'zola'],
  ['Astro', 'astro'],
  ['Eleventy', 'eleventy'],
  ['WordPress', 'wordpress/lindqvist-baer.WordPress.xml', { isTakingComments: true, pages: 'Pages' }],
  ['Ghost', 'ghost/lindqvist-baer.ghost.json', { pages: 'Pages' }],
  ['the hosted table', 'hosted/blog_posts.csv'],
];

async function importInto(app: TestApp, path: string, options: ImportOptions = {}): Promise<string[]> {
  const given = { isPublishing: true, isFetching: false, isLeavingOutMissingImages: true };
  const { items } = await importPosts(app, path, { ...given, ...options });
  return items.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'skipped');
}

async function exportTo(app: TestApp, format: 'markdown' | 'json'): Promise<{ place: string; folder: string }> {
  const folder = temporaryFolder();
  const place = join(folder, format === 'json' ? 'posts.json' : 'posts');
  await app.get(PostsExportService).export(OPERATOR, place, { format });
  return { place, folder };
}

/** The addresses of the old site, and where they lead. */
const readRedirects = (app: TestApp) =>
  app
    .get(EntityManager)
    .fork()
    .execute<{ path: string; target: string }[]>('select path, target from redirects order by path');

/** A list of posts of a category, a tag or an author. */
const LIST = /^\/blogs\/(?:category|tag|author)\//;

describe.each(fewOf(sources, ([name]) => name === 'WordPress'))('a blog of %s', (_name, path, options) => {
  it('is the same bytes when it was exported, taken in by an empty site, and exported there', async () => {
    const app = await createTestApp();
    const taken = await importInto(app, join(blogs, path), { source: 'https://old.example', ...options });
    expect(taken.length).toBeGreaterThan(9);
    expect(new Set(taken)).toEqual(new Set(['created']));
    const redirects = await readRedirects(app);
    // Tables and Astro name no former addresses in posts.
    if (!/^(?:astro|hosted)/.test(path)) expect(redirects.length).toBeGreaterThan(0);
    for (const format of fewOf(['markdown', 'json'] as const, (one) => one === 'markdown')) {
      const first = await exportTo(app, format);
      const other = await createTestApp();
      expect(new Set(await importInto(other, first.place))).toEqual(new Set(['created']));
      const second = await exportTo(other, format);
      const [was, is] = [readTree(first.folder), readTree(second.folder)];
      expect(is).toEqual(was);
      // Posts bring the addresses that lead to them; those of lists come with the redirects.
      const ofPosts = await readRedirects(other);
      expect(redirects).toEqual(expect.arrayContaining(ofPosts));
      expect(ofPosts).toEqual(redirects.filter(({ target }) => !LIST.test(target)));
      const text = await app.get(RedirectsService).export(OPERATOR, 'json');
      await other.get(RedirectsService).import(OPERATOR, { text, name: 'redirects.json' });
      expect(await readRedirects(other)).toEqual(redirects);
      await other.close();
    }
    await app.close();
  });
});
