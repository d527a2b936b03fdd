import { expect, it } from '@jest/globals';
import { readFiles } from '../../../test/support/post-source.js';
import type { SourcePost } from '../source-post.js';

const config = (more = '') => `export default {\n  url: 'https://docs.example.dev',\n  baseUrl: '/',${more}\n};\n`;
const post = (text: string, more = '') => `---\ntitle: T\ndate: 2024-01-05\n${more}---\n${text}\n`;
const text = "import A from './a';\n\nWords {/* for nobody */}end";

async function read(files: Readonly<Record<string, string>>) {
  const items = (await readFiles(files)) as SourcePost[];
  return items.map(({ file, html, isPublished }) => [file, html.trim(), isPublished]);
}

it('reads Markdown of Docusaurus as MDX, unless somebody says otherwise, and leaves out what it leaves out', async () => {
  const written = '<p>import A from &#39;./a&#39;;</p>\n<p>Words {/* for nobody */}end</p>';
  const files = {
    'blog/a.md': post(text),
    'blog/b.md': post(text, 'mdx: { format: md }\n'),
    'blog/_c.md': post('Part'),
    'blog/_d/e.md': post('Part'),
  };
  expect(await read({ 'docusaurus.config.ts': config(), ...files })).toEqual([
    ['blog/_c.md', '<p>Part</p>', false],
    ['blog/_d/e.md', '<p>Part</p>', false],
    ['blog/a.md', '<p>Words end</p>', undefined],
    ['blog/b.md', written, undefined],
  ]);
  const detecting = { 'docusaurus.config.js': config("\n  markdown: { format: 'detect' },"), 'blog/a.md': post(text) };
  expect(await read(detecting)).toEqual([['blog/a.md', written, undefined]]);
  expect(await read({ 'blog/a.md': post(text) })).toEqual([['blog/a.md', written, undefined]]);
});

it('knows the addresses that posts of its blog had', async () => {
  const files = {
    'blog/2024-01-05-a.md': post('A'),
    'blog/2024-01-06-b/index.mdx': post('B'),
    'blog/2024/01/07/c.md': post('C'),
    'blog/2024-01-08-d.md': post('D', 'slug: own/d\n'),
    'blog/e.md': post('E', 'slug: /e\n'),
    'docs/f.md': post('F'),
  };
  const paths = async (more: string) => {
    const items = (await readFiles({ 'docusaurus.config.ts': config(more), ...files })) as SourcePost[];
    return items.map(({ oldPaths }) => oldPaths.join(' '));
  };
  const below = (blog: string) =>
    ['2024/01/05/a', '2024/01/06/b', '2024/01/07/c', 'own/d', 'e'].map((path) => `/${blog}/${path}`).sort();
  const sorted = (all: readonly string[]) => all.filter((path) => path !== '').sort();
  expect(sorted(await paths(''))).toEqual(below('blog'));
  expect(sorted(await paths("\n  blog: { feedOptions: { type: 'all' }, routeBasePath: '/news/' },"))).toEqual(
    below('news'),
  );
  expect(sorted(await paths("\n  plugins: [['x', { routeBasePath: 'y' }]],"))).toEqual([]);
});
