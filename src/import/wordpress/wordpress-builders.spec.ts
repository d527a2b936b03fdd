import { expect, it } from '@jest/globals';
import { readSource, settings, withFile } from '../../../test/support/post-source.js';
import type { SourcePost } from '../source-post.js';
import { openWordPress } from './wordpress-reader.js';

it('says in which field of a page builder the words are that the text of a post does not have', async () => {
  const post = (id: string, text: string, key: string, value: string) =>
    `<item><title>T${id}</title><link>https://a.example/t${id}/</link><content:encoded><![CDATA[${text}]]></content:encoded>` +
    `<wp:post_id>${id}</wp:post_id><wp:post_date>2024-01-01 10:00:00</wp:post_date><wp:status>publish</wp:status>` +
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta></item>`;
  const items = [
    post('1', '', '_elementor_data', '[{"elType":"section"}]'),
    post('2', '<p>as Elementor writes it</p>', '_elementor_data', '[{"elType":"section"}]'),
    post('3', '<p>old text</p>', '_bricks_page_content_2', 'a:1:{i:0;s:1:"x";}'),
    post('4', '', '_elementor_data', '[]'),
  ];
  const content = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://a.example</link>${items.join('\n')}</channel></rss>`;
  const { items: read } = await withFile('export.xml', content, (path) => readSource(openWordPress(path, settings)));
  const note = (field: string) => [`what a page builder shows of it is in the field ${field}, which was not read`];
  expect((read as SourcePost[]).map(({ warnings }) => warnings)).toEqual([
    note('_elementor_data'),
    [],
    note('_bricks_page_content_2'),
    [],
  ]);
});
