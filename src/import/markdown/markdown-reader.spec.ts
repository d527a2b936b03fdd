import { expect, it } from '@jest/globals';
import { readFiles } from '../../../test/support/post-source.js';

const post = (title: string, text = 'Text') => `---\ntitle: ${title}\ndate: 2024-01-05\n---\n${text}\n`;

/** The slug of each post, or why the file is none. */
async function slugs(files: Readonly<Record<string, string>>) {
  const items = await readFiles(files);
  return Object.fromEntries(
    items.map((item) => [
      item.file,
      'slug' in item ? item.slug : 'skipped' in item ? item.skipped : item.refusal.message,
    ]),
  );
}

it('takes the pages of sections for no posts, and the pages of a folder in each language for one', async () => {
  const index = '---\ntitle: Undated\n---\nText\n';
  const files = {
    'posts/_index.de.md': index,
    'posts/_index.md': index,
    'posts/trip/index.de.md': index,
    'posts/trip/index.en.md': index,
    'posts/list/index.de.md': index,
    'posts/list/entry.md': post('Entry'),
  };
  expect(await slugs(files)).toEqual({
    'posts/_index.de.md': 'the page of a section, not a post',
    'posts/_index.md': 'the page of a section, not a post',
    'posts/list/entry.md': 'entry',
    'posts/list/index.de.md': 'the index of a folder, not a post',
    'posts/trip/index.de.md': 'trip-de',
    'posts/trip/index.en.md': 'trip-en',
  });
});
