import { expect, it } from '@jest/globals';
import { readFiles } from '../../../test/support/post-source.js';

const config = 'base_url = "https://z.example.dev"\n';
const front = '+++\ntitle = "A"\ndate = 2024-01-05\n+++\n';

async function read(body: string, more = '') {
  const items = await readFiles({
    'config.toml': config + more,
    'content/blog/a.md': front + body,
    'content/blog/other.md': `${front}## A heading\n`,
  });
  const item = items.find(({ file }) => file.endsWith('a.md'));
  if (item === undefined || !('html' in item)) throw new Error('no post');
  return { html: item.html.trim(), warnings: item.warnings };
}

it('leaves signs text that pulldown-cmark knows nothing of', async () => {
  expect((await read('H~2~O, x^2^, ==all== and 5~6 of 7~8, ~5 to ~6, ~no~ and ~~no~~, (~x~).')).html).toBe(
    '<p>H~2~O, x^2^, ==all== and 5~6 of 7~8, ~5 to ~6, <del>no</del> and <del>no</del>, (<del>x</del>).</p>',
  );
});

it('makes lists of definitions where the configuration says so alone', async () => {
  expect((await read('Term\n: what it is')).html).toBe('<p>Term\n: what it is</p>');
  const told = await read('Term\n: what it is', '[markdown]\ndefinition_list = true\n');
  expect(told.html.replaceAll('\n', '')).toBe('<dl><dt>Term</dt><dd>what it is</dd></dl>');
});

it('leads links on whose address stands below the text', async () => {
  const { html, warnings } = await read(
    'See [it][o] and [that][].\n\n[o]: @/blog/other.md\n[that]: @/blog/other.md#a-heading\n',
  );
  expect(html).toBe('<p>See <a href="/blogs/other">it</a> and <a href="/blogs/other#a-heading">that</a>.</p>');
  expect(warnings).toEqual([]);
});
