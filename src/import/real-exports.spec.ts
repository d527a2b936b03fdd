import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readSource, settings, summarize } from '../../test/support/post-source.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { toPlainText } from '../posts/content/plain-text.js';
import { openGhost } from './ghost/ghost-reader.js';
import type { SourcePost } from './source-post.js';
import { openWordPress } from './wordpress/wordpress-reader.js';

// Real exports of others, where somebody has put them beside the checkout; they are no part of the project.
const folder = fileURLToPath(new URL('../../../shared/fixtures', import.meta.url));
const isThere = existsSync(join(folder, 'wordpress')) && existsSync(join(folder, 'ghost'));
const describeRealExports = isThere ? describe : describe.skip;

describeRealExports(`real exports (in ../shared/fixtures: ${isThere ? 'there' : 'absent, so not tried'})`, () => {
  it('are read item by item, with all of their text', async () => {
    const wordpress = join(folder, 'wordpress');
    const files = (await readdir(wordpress, { recursive: true })).filter((file) => file.endsWith('.xml'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { items, error } = await readSource(openWordPress(join(wordpress, file), settings));
      const xml = await readFile(join(wordpress, file), 'utf8');
      expect([file, error, items.length]).toEqual([file, null, xml.split(/<item[ >]/).length - 1]);
      expect(items.map(summarize).filter((line) => line.includes('refused'))).toEqual([]);
      const texts = [...xml.matchAll(/<content:encoded><!\[CDATA\[([^]*?)\]\]>/g)].map(([, text]) =>
        wordsOf(text ?? ''),
      );
      for (const post of items.filter((item): item is SourcePost => 'html' in item)) {
        expect(texts).toContain(wordsOf(post.html.replace(/<p><a href="[^"]*\.mp3">[^<]*<\/a><\/p>$/, '')));
      }
    }
  });

  it('of Ghost too', async () => {
    const path = join(folder, 'ghost/ghost.json');
    const { items, error } = await readSource(openGhost(path, settings));
    expect(error).toBeNull();
    expect(items).toHaveLength(3);
    expect(items.map(summarize).filter((line) => /refused|skipped/.test(line))).toEqual([]);
    expect((items as SourcePost[]).map((post) => [post.category, post.author, wordsOf(post.html)])).toEqual([
      ['News', 'Alice Johnson', 'Hello world More text'],
      ['Technology', 'Bob Smith', 'Post with inline image'],
      [null, 'The Team', ''],
    ]);
  });
});

function wordsOf(html: string): string {
  return toPlainText(sanitizeContent(html));
}
