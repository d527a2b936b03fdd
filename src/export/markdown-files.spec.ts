import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { parseFrontMatter } from '../import/markdown/front-matter.js';
import type { ExportedPost } from './exported-post.js';
import { MarkdownFiles, toMarkdownFile } from './markdown-files.js';

const at = new Date('2026-01-31T09:00:00.000Z');

function toPost(texts: Partial<ExportedPost['row']>): ExportedPost {
  const row = {
    id: '3f1e0c1a-0000-4000-8000-000000000000',
    title: 'A post',
    slug: 'a-post',
    author: 'Ann',
    content: '<p>Words</p>',
    publishedDate: at,
    isDateChosen: true,
    isPublished: true,
    createdAt: at,
    updatedAt: at,
    ...texts,
  } as ExportedPost['row'];
  return { row, oldPaths: [], comments: [] };
}

const frontMatterOf = (file: string) => /^---\n(.*?)^---$/ms.exec(file)?.[1] ?? '';

describe('the front matter of an exported post', () => {
  // What Jekyll, with YAML 1.1, and others, with 1.2, would each take for something else.
  const words = [
    'no',
    'On',
    'yes',
    'y',
    '12:30',
    '2025-11-01',
    '1_000',
    '0b1',
    '012',
    '0o14',
    '1.0',
    'null',
    '~',
    '.5',
  ];

  it.each(words)('says %j in words, whatever reads it', (word) => {
    const file = toMarkdownFile(toPost({ title: word, author: word, category: word, tags: [word, 'IT'] }), new Map());
    const said = { title: word, author: word, category: word, tags: [word, 'IT'] };
    expect(parse(frontMatterOf(file), { version: '1.1' })).toMatchObject(said);
    expect(parse(frontMatterOf(file))).toMatchObject(said);
    expect(parseFrontMatter(file).frontMatter).toMatchObject(said);
  });

  it('says what needs no marks without them, and dates as dates', () => {
    const file = toMarkdownFile(toPost({ title: 'It’s C#: how', tags: ['IT', 'Wi-Fi'], category: 'News' }), new Map());
    expect(frontMatterOf(file)).toMatch(/^date: 2026-01-31T09:00:00\.000Z$/m);
    expect(frontMatterOf(file)).toMatch(/^category: News\ntags:\n {2}- IT\n {2}- Wi-Fi$/m);
    expect(parse(frontMatterOf(file), { version: '1.1' })).toMatchObject({ date: at, created: at, updated: at });
  });
});

describe('the file of an exported post', () => {
  it.each([
    ['a-post', 'a-post.md'],
    ['console', 'console.md'],
    // Devices of Windows, and what Hugo takes for the page of the folder.
    ...['con', 'nul', 'aux', 'com1', 'lpt9', 'index'].map((slug) => [
      slug,
      'post_3f1e0c1a-0000-4000-8000-000000000000.md',
    ]),
    ['Not a/file name!', 'post_3f1e0c1a-0000-4000-8000-000000000000.md'],
  ])('of %j is %s', async (slug, file) => {
    const files = await MarkdownFiles.create(join(temporaryFolder(), 'posts'), {});
    expect(await files.addPost(toPost({ slug }), new Map())).toMatchObject({ file });
    await files.discard();
  });
});
