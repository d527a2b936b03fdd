import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { readSource, settings, summarize } from '../../../test/support/post-source.js';
import { openSource } from '../open-source.js';
import type { SourcePost } from '../source-post.js';

const whole = (items: string, address = 'https://a.example') =>
  `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>${address}</link>${items}</channel></rss>`;
const post = (id: string, text: string) =>
  `<item><title>T${id}</title><link>https://a.example/t${id}/</link><content:encoded><![CDATA[${text}]]></content:encoded>` +
  `<wp:post_id>${id}</wp:post_id><wp:post_date>2024-01-01 10:00:00</wp:post_date><wp:status>publish</wp:status>` +
  '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta></item>';
const attachment =
  '<item><title>Lake</title><wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status>' +
  '<wp:attachment_url>https://a.example/lake.png</wp:attachment_url></item>';

async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  task: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return await task(folder);
}
const readAll = (files: Readonly<Record<string, string>>) =>
  inFolder(files, (folder) => readSource(openSource(folder, settings)));

describe('a folder of exports of WordPress', () => {
  it('is one export: posts find the pictures and the posts of all files', async () => {
    const { items, error } = await readAll({
      'site.000.xml': whole(post('1', '<a href="https://a.example/t2/">x</a>')),
      'site.001.xml': whole(attachment),
      'site.002.xml': whole(post('2', 'y')),
      'feed.xml': '<rss><channel></channel></rss>',
    });
    expect(error).toBeNull();
    expect(items.map(({ file }) => file)).toEqual([
      'site.000.xml: T1 (1)',
      'site.001.xml: Lake (9)',
      'site.002.xml: T2 (2)',
    ]);
    expect(items[0] as SourcePost).toMatchObject({
      html: '<p><a href="/blogs/t2">x</a></p>',
      image: { address: 'https://a.example/lake.png' },
      warnings: [],
    });
  });

  it('is read to its end if one of its files breaks off, which is said', async () => {
    const { items, error } = await readAll({
      'a.xml': whole(post('1', 'x')).replace('</channel></rss>', '<item><title>'),
      'b.xml': whole(post('2', 'y')),
    });
    expect(items.map(summarize)).toHaveLength(2);
    expect(error).toBe('a.xml: breaks off in item 2, which begins in line 1');
  });

  it('is of one site', async () => {
    const { error } = await readAll({ 'a.xml': whole(''), 'b.xml': whole('', 'https://b.example') });
    expect(error).toBe(
      'b.xml: is of https://b.example, and another file in the folder of https://a.example; each site is imported from a folder of its own',
    );
  });

  it('is a folder of Markdown if there is some', async () => {
    const { items } = await readAll({ 'a.xml': whole(post('1', 'x')), 'b.md': '---\ntitle: B\n---\ntext' });
    expect(items.map(({ file }) => file)).toContain('b.md');
  });
});

describe('a packed export', () => {
  it.each([
    ['gzip', gzipSync(whole(post('1', 'x')))],
    ['zip', Buffer.from('PK\u0003\u0004 and so on, with wordpress.org/export/ in it')],
  ])('of %s is refused with what to do', async (name, content) => {
    const opening = inFolder({ packed: content }, (folder) => openSource(join(folder, 'packed'), settings));
    await expect(opening).rejects.toThrow(`is packed (${name}); unpack it, and import what is in it`);
  });
});
