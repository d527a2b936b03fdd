import { expect, it } from '@jest/globals';
import { readFiles } from '../../../test/support/post-source.js';

const post = '---\ntitle: A post\ndate: 2024-01-05\n---\n> [!NOTE]\n> Mind this.\n\n```\n> [!TIP]\n```\n';
const hugo = 'baseURL = "https://hugo.example.dev/"\n';
const hook = 'layouts/_default/_markup/render-blockquote-alert.html';
const astro = "export default { site: 'https://astro.example.dev'";
const code = '<pre><code>> [!TIP]</code></pre>';
const BOX = '<blockquote><p><strong>Note</strong></p><p>Mind this.</p></blockquote>';
const TEXT = '<blockquote><p>[!NOTE]Mind this.</p></blockquote>';

it.each([
  ['nobody knows which', { 'notes.txt': '' }, BOX],
  ['Jekyll', { '_config.yml': 'url: https://j.example.dev' }, TEXT],
  ['Jekyll with a plugin', { '_config.yml': 'plugins: [jekyll-gfm-admonitions]' }, BOX],
  ['Jekyll with a plugin of its Gemfile', { '_config.yml': 'title: x', Gemfile: 'gem "jekyll-gfm-admonitions"' }, BOX],
  ['Zola', { 'config.toml': 'base_url = "https://z.example.dev"' }, TEXT],
  ['Zola that is told to', { 'config.toml': 'base_url = "/"\n[markdown]\ngithub_alerts = true' }, BOX],
  ['Hugo', { 'hugo.toml': hugo }, TEXT],
  ['Hugo with a template', { 'hugo.toml': hugo, [hook]: '' }, BOX],
  ['Hugo with a theme', { 'hugo.toml': `${hugo}theme = "a"`, 'themes/a/theme.toml': '' }, TEXT],
  ['Hugo with a theme that has a template', { 'hugo.toml': `${hugo}theme = "a"`, [`themes/a/${hook}`]: '' }, BOX],
  ['Astro', { 'astro.config.mjs': `${astro} }` }, TEXT],
  ['Astro with a plugin', { 'astro.config.mjs': `import a from 'remark-github-blockquote-alert';\n${astro} }` }, BOX],
  [
    'Eleventy',
    { 'eleventy.config.js': 'export default {};', 'src/_data/site.json': '{"url": "https://e.example.dev"}' },
    TEXT,
  ],
])('makes boxes of alerts as %s does', async (_who, files, expected) => {
  const items = await readFiles({ ...files, 'posts/2024-01-05-a.md': post }, 'posts');
  expect(items).toHaveLength(1);
  const [item] = items;
  if (item === undefined || !('html' in item)) throw new Error('no post');
  expect(item.html.replaceAll('\n', '').replaceAll('&gt;', '>')).toBe(expected + code);
  const noted = item.warnings.filter((warning) => warning.startsWith('alerts'));
  expect(noted).toEqual(expected === TEXT ? [expect.stringMatching(/^alerts of GitHub stay text, .*: 1$/)] : []);
});

it('says that boxes may have been text where the theme of Hugo is not in the folder', async () => {
  for (const more of ['theme = "a"', '[module]\n[[module.imports]]\npath = "example.dev/theme"']) {
    const [item] = await readFiles({ 'hugo.toml': `${hugo}${more}`, 'content/posts/a.md': post }, 'content/posts');
    if (item === undefined || !('html' in item)) throw new Error('no post');
    expect(item.html).toContain('<strong>Note</strong>');
    expect(item.warnings).toContainEqual(
      expect.stringMatching(/^alerts of GitHub became boxes; unless the theme .*: 1$/),
    );
  }
});
