import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { readFiles, readSource, settings } from '../../../test/support/post-source.js';
import { openMarkdown } from './markdown-source.js';

const post = (more = '') => `---\ntitle: A post\ndate: 2024-01-05\n${more}---\nText\n`;

/** Why each post cannot be read there; null for those that say nothing else. */
async function whyWithheld(files: Readonly<Record<string, string>>, folder?: string) {
  const items = await readFiles(files, folder);
  return Object.fromEntries(items.flatMap((item) => ('html' in item ? [[item.file, item.withheld ?? null]] : [])));
}

const DRAFT = 'is in a section there that is a draft';
const NO_PAGE = 'has no page of its own there (build.render)';
const BUNDLE = (folder: string) => `belongs to the page of its folder there (${folder})`;

it('keeps what a section of Hugo keeps from readers', async () => {
  const files = {
    'hugo.toml':
      'baseURL = "https://hugo.example.dev/"\n[[cascade]]\nprivate = true\n[cascade._target]\npath = "/in{side,ner}/**"\n',
    'content/posts/_index.md': '---\ntitle: All\ncascade:\n  - _target: { kind: section }\n    draft: true\n---\n',
    'content/posts/open.md': post(),
    'content/secret/_index.md': '---\ndraft: true\n---\n',
    'content/secret/deep/plan.md': post('draft: false\n'),
    'content/lang/_index.de.md': '+++\ndraft = true\n+++\n',
    'content/lang/a.de.md': post(),
    'content/lang/a.fr.md': post(),
    'content/parts/_index.html': '---\ncascade:\n  build:\n    render: never\n    list: never\n---\n',
    'content/parts/prices.md': post(),
    'content/parts/own.md': post('Build:\n  render: always\n'),
    'content/handed/_index.md': '---\ncascade: { params: { hidden: true }, title: No }\n---\n',
    'content/handed/x.md': post(),
    'content/inside/x.md': post(),
    'content/broken/_index.md': '---\ndraft: perhaps\ncascade: x\n---\n',
    'content/broken/x.md': post(),
    'content/unlisted.md': post('_build:\n  list: never\n'),
  };
  const expected = {
    'content/posts/open.md': null,
    'content/secret/deep/plan.md': DRAFT,
    'content/lang/a.de.md': DRAFT,
    'content/lang/a.fr.md': null,
    'content/parts/prices.md': NO_PAGE,
    'content/parts/own.md': null,
    'content/handed/x.md': 'is hidden there',
    'content/inside/x.md': 'is private there',
    'content/broken/x.md': null,
    'content/unlisted.md': 'is in no list there',
  };
  expect(await whyWithheld(files)).toEqual(expected);
  // The folder of which somebody imports a part keeps its word.
  expect(await whyWithheld(files, 'content/secret/deep')).toEqual({ 'plan.md': DRAFT });
});

it('keeps what Hugo builds in no language, and pages that Zola does not render', async () => {
  const files = {
    'hugo.yaml':
      'baseURL: https://hugo.example.dev/\ndisableLanguages: [fr]\nlanguages:\n  en: {}\n  fr: {}\n  de: { disabled: true }\n' +
      '  pl: { disabled: true, contentDir: content/polish }\n',
    'content/posts/a.md': post(),
    'content/posts/a.fr.md': post(),
    'content/de/posts/a.md': post(),
    'content/polish/a.md': post(),
    'content/en/a.md': post(),
  };
  const left = 'is in a language that is left out of the site there';
  expect(await whyWithheld(files)).toEqual({
    'content/posts/a.md': null,
    'content/posts/a.fr.md': left,
    'content/de/posts/a.md': left,
    'content/polish/a.md': left,
    'content/en/a.md': null,
  });
  const zola = {
    'zola.toml': 'base_url = "https://zola.example.dev"\n',
    'content/a.md': '+++\ntitle = "A"\ndate = 2024-01-05\nrender = false\n+++\nText\n',
  };
  expect(await whyWithheld(zola)).toEqual({ 'content/a.md': 'has no page of its own there (render: false)' });
});

it('keeps what is outside the texts of Hugo and Zola, and what they are told to leave out', async () => {
  const outside = 'is outside the texts of the site there';
  const left = (name: string) => `is left out of the site there (${name})`;
  const files = {
    'hugo.yaml':
      'baseURL: https://hugo.example.dev/\nignoreFiles: ["\\\\.tmp\\\\.md$", "("]\nmodule:\n  mounts:\n' +
      '    - { source: content, target: content, excludeFiles: plans/** }\n    - { source: more, target: content/posts }\n',
    'content/posts/a.md': post(),
    'content/posts/b.tmp.md': post(),
    'content/plans/a.md': post(),
    'more/a.md': post(),
    'ideas/a.md': post(),
    'note.md': post(),
    'archetypes/posts.md': '---\ntitle: {{ .Name }}\ndate: {{ .Date }}\n---\n',
    'themes/one/exampleSite/content/posts/a.md': post(),
  };
  expect(await whyWithheld(files)).toEqual({
    'content/posts/a.md': null,
    'content/posts/b.tmp.md': left('ignoreFiles'),
    'content/plans/a.md': left('excludeFiles'),
    'more/a.md': null,
    'ideas/a.md': outside,
    'note.md': outside,
  });
  const items = await readFiles(files);
  expect(items.filter((item) => 'skipped' in item)).toEqual([
    { file: 'archetypes/posts.md', skipped: 'of the generator or a theme of the site, not a post' },
    {
      file: 'themes/one/exampleSite/content/posts/a.md',
      skipped: 'of the generator or a theme of the site, not a post',
    },
  ]);
  const zola = {
    'zola.toml': 'base_url = "https://zola.example.dev"\nignored_content = ["*.tmp.md", "**/build"]\n',
    'content/blog/a.md': post(),
    'content/blog/a.tmp.md': post(),
    'content/blog/build/a.md': post(),
    'ideas/a.md': post(),
  };
  expect(await whyWithheld(zola)).toEqual({
    'content/blog/a.md': null,
    'content/blog/a.tmp.md': left('ignored_content'),
    'content/blog/build/a.md': left('ignored_content'),
    'ideas/a.md': outside,
  });
  // A configuration of that name beside posts may be of something else.
  expect(await whyWithheld({ 'config.json': '{"a": 1}', 'posts/a.md': post() })).toEqual({ 'posts/a.md': null });
});

it('keeps what Eleventy is told to leave out', async () => {
  const files = {
    '.eleventyignore': '# not these\nposts/plan.md\n/drafts/\n!drafts/ready.md\n**/_*.md\n',
    'posts/a.md': post(),
    'posts/plan.md': post(),
    'posts/_b.md': post(),
    'drafts/x.md': post(),
    'drafts/ready.md': post(),
  };
  const left = 'is left out of the site there (.eleventyignore)';
  expect(await whyWithheld(files)).toEqual({
    'posts/a.md': null,
    'posts/plan.md': left,
    'posts/_b.md': left,
    'drafts/x.md': left,
    'drafts/ready.md': null,
  });
});

it('keeps what the configuration of Eleventy leaves out', async () => {
  const files = {
    '_data/site.json': '{ "url": "https://eleventy.example.dev/" }',
    'eleventy.config.js':
      'export default (config) => {\n  config.ignores.add("src/wip/**");\n  config.ignores.add(`src/plan.md`);\n' +
      '  // config.ignores.add("src/a.md");\n  config.ignores.add(other);\n};\n',
    'src/a.md': post(),
    'src/plan.md': post(),
    'src/wip/deep/b.md': post(),
  };
  const left = 'is left out of the site there (ignores.add)';
  expect(await whyWithheld(files)).toEqual({ 'src/a.md': null, 'src/plan.md': left, 'src/wip/deep/b.md': left });
  expect(await whyWithheld(files, 'src')).toEqual({ 'a.md': null, 'plan.md': left, 'wip/deep/b.md': left });
});

it('takes no text of a page of Hugo for a page', async () => {
  const files = {
    'config.yaml': 'baseURL: https://hugo.example.dev/\n',
    'content/posts/trip/index.md': post(),
    'content/posts/trip/notes.md': post(),
    'content/posts/trip/days/one.md': post(),
    'content/posts/other.md': post(),
    'content/pieces/index.en.md': '---\nheadless: true\ndate: 2024-01-05\n---\nText\n',
    'content/pieces/one.en.md': post(),
  };
  expect(await whyWithheld(files)).toEqual({
    'content/posts/trip/index.md': null,
    'content/posts/trip/notes.md': BUNDLE('content/posts/trip'),
    'content/posts/trip/days/one.md': BUNDLE('content/posts/trip'),
    'content/posts/other.md': null,
    'content/pieces/index.en.md': 'is headless there',
    'content/pieces/one.en.md': BUNDLE('content/pieces'),
  });
});

it('keeps the sections of Zola that are drafts', async () => {
  const files = {
    'config.toml': 'base_url = "https://zola.example.dev"\n',
    'content/drafts/_index.md': '+++\ndraft = true\n+++\n',
    'content/drafts/x.md': post(),
    'content/blog/_index.md': '+++\n+++\n',
    'content/blog/x/index.md': post(),
    'content/blog/x/more.md': post(),
  };
  expect(await whyWithheld(files)).toEqual({
    'content/drafts/x.md': DRAFT,
    'content/blog/x/index.md': null,
    'content/blog/x/more.md': null,
  });
});

it('reads data files of Eleventy, and names that Astro leaves out', async () => {
  const files = {
    'content/content.json': '{ "layout": "post.njk", "permalink": "/{{ page.fileSlug }}/" }',
    'content/open.md': post(),
    'content/drafts/drafts.json': '{ "draft": true }',
    'content/drafts/a.md': post(),
    'content/drafts/ready.md': post('draft: false\n'),
    'content/parts/parts.11tydata.js': 'export default {\n  // draft: true,\n  permalink: false,\n};\n',
    'content/parts/a.md': post(),
    'content/club/club.11tydata.cjs': 'module.exports = { private: true, layout: (data) => data.hidden };\n',
    'content/club/a.md': post(),
    'content/later/later.11tydata.js': 'export default { published: false };\n',
    'content/later/a.md': post(),
    'content/alone.11tydata.json': '{ "eleventyExcludeFromCollections": true }',
    'content/alone.md': post(),
    'content/broken/broken.json': '{',
    'content/broken/a.md': post(),
    'src/content/blog/_idea.md': post(),
    'src/content/blog/_later/a.md': post(),
    'src/content/blog/a_b.md': post(),
  };
  const astro = 'is left out of the site there, as a name in its path begins with _';
  expect(await whyWithheld(files)).toEqual({
    'content/open.md': null,
    'content/drafts/a.md': 'is a draft there',
    'content/drafts/ready.md': null,
    'content/parts/a.md': 'has no page of its own there (permalink: false)',
    'content/club/a.md': 'is private there',
    'content/later/a.md': 'is not published there',
    'content/alone.md': 'is in no list there',
    'content/broken/a.md': null,
    'src/content/blog/_idea.md': astro,
    'src/content/blog/_later/a.md': astro,
    'src/content/blog/a_b.md': null,
  });
});

it('keeps what Jekyll makes nothing of', async () => {
  const files = {
    '_config.yml':
      'url: https://jekyll.example.dev\nexclude: [/internal/, "*.draft.md"]\ninclude: [_pages]\n' +
      'collections:\n  recipes: { output: true }\n  team: {}\n',
    '_posts/2024-01-05-a.md': post(),
    '_posts/2024/24-1-5-b.md': post(),
    'news/_posts/template.md': post(),
    '_recipes/cake.md': post(),
    '_team/ann.md': post(),
    '_ideas/2024-01-05-a.md': post(),
    '_pages/about.md': post(),
    'internal/plan.md': post(),
    'x.draft.md': post(),
    'page.md': post(),
  };
  expect(await whyWithheld(files)).toEqual({
    '_posts/2024-01-05-a.md': null,
    '_posts/2024/24-1-5-b.md': null,
    'news/_posts/template.md': 'has no date in its name, without which Jekyll shows no post',
    '_recipes/cake.md': null,
    '_team/ann.md': 'is in no part of the site there (_team)',
    '_ideas/2024-01-05-a.md': 'is in no part of the site there (_ideas)',
    '_pages/about.md': null,
    'internal/plan.md': 'is left out of the site there (exclude)',
    'x.draft.md': 'is left out of the site there (exclude)',
    'page.md': null,
  });
});

it('takes names without dates for those of Hexo', async () => {
  const files = { '_config.yml': 'url: https://hexo.example.dev\nsource_dir: source\n', 'source/_posts/a.md': post() };
  expect(await whyWithheld(files)).toEqual({ 'source/_posts/a.md': null });
});

it('keeps its word for folders that are reached by links', async () => {
  const base = await realpath(temporaryFolder());
  const files = {
    'site/hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'site/content/_index.md': '---\ncascade: { private: true }\n---\n',
    'texts/secret/_index.md': '---\ndraft: true\n---\n',
    'texts/secret/x.md': post(),
    'texts/y.md': post(),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  }
  await symlink(join(base, 'texts'), join(base, 'site/content/posts'));
  await symlink(join(base, 'site'), join(base, 'link'));
  const { items } = await readSource(openMarkdown(join(base, 'link/content/posts'), settings));
  const withheld = items.flatMap((item) => ('html' in item ? [item.withheld] : []));
  expect(withheld).toEqual([DRAFT, 'is private there']);
});
