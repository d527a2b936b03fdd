import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fieldNames, specOf } from '../../src/shared/contracts/post-fields.js';
import { paths } from '../../src/shared/paths.js';
import { sitePages, type SitePageSpec } from '../../src/shared/site-pages.js';

const root = join(import.meta.dirname, '../..');
const filesOf = (...patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Comments name the sections of papers as `product.md 5.4` or `product.md 2.7, 5.1 and 8.1`. */
const CITATION = /\b(product|auth-api)\.md,? (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g;
const LINK = /\]\(([^)\s]+)\)/g;

function sectionsOf(paper: string): Set<string> {
  const numbers = [...read(`docs/${paper}.md`).matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!);
  return new Set(numbers);
}

/** The anchors of a page, as GitHub makes them of headings. */
function anchorsOf(path: string): string[] {
  const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('papers', () => {
  it('have every section that comments cite', () => {
    const sections = { product: sectionsOf('product'), 'auth-api': sectionsOf('auth-api') };
    const files = filesOf('{src,client,cli,test}/**/*.{ts,tsx,mjs,css}', 'docs/**/*.md', '*.md');
    const citations = files.flatMap((path) =>
      // A comment that goes on in the next line has its marks in between.
      [
        ...read(path)
          .replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
          .matchAll(CITATION),
      ].flatMap(([, paper, numbers]) =>
        numbers!.split(/, | and /).map((number) => ({ path, paper: paper as keyof typeof sections, number })),
      ),
    );

    expect(citations.length).toBeGreaterThan(80);
    expect(citations.filter(({ paper, number }) => !sections[paper].has(number))).toEqual([]);
  });

  it('link to nothing that is not there', () => {
    const pages = filesOf('*.md', '.github/**/*.md', 'docs/**/*.md', '{src,client,cli,test}/**/README.md');
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(LINK)].map(([, target]) => ({ page, target: target! })),
    );
    const broken = links
      .filter(({ target }) => !/^(?:https?|mailto):/.test(target))
      .filter(({ page, target }) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(file).includes(anchor);
      });

    expect(links.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it('say of a decision that was superseded or changed which one did', () => {
    const heads = new Map(
      filesOf('docs/decisions/0*.md').map((path) => [basename(path), read(path).split('**Context.**')[0]!]),
    );
    const changes = [...heads].flatMap(([name, head]) =>
      head
        .split(/(?<=\.)\s/)
        .filter((sentence) => /\b(?:supersedes|changes|takes the place of)\b/i.test(sentence))
        .flatMap((sentence) =>
          [...sentence.matchAll(/\((0\d{3}-[^)]+)\)/g)].map(([, changed]) => ({ name, changed: changed! })),
        ),
    );
    expect(changes.length).toBeGreaterThan(20);
    expect(changes.filter(({ name, changed }) => !heads.get(changed)?.includes(`(${name})`))).toEqual([]);
  });

  it('of rooms name no file of the house that is not there', () => {
    const all = filesOf('{src,client,cli,test,migrations}/**/*.{ts,tsx,mjs,cjs,css}', '*.ts').map((path) => `/${path}`);
    const named = filesOf('CONTRIBUTING.md', 'docs/*.md', '{src,client,cli,test}/**/README.md').flatMap((page) =>
      [...read(page).matchAll(/`([\w@/-][\w@./-]*\.(?:ts|tsx|mjs|cjs|css))`/g)].map(([, file]) => ({
        page,
        file: file!,
      })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ file }) => !all.some((path) => path.endsWith(`/${file}`)))).toEqual([]);
  });

  it('say of every field of posts what it is, and of every page and screen where it is', () => {
    const product = read('docs/product.md');
    const screens = Object.values(paths.admin).flatMap((path) =>
      typeof path === 'string' && /^\/admin\/\w+$/.test(path) ? [path] : [],
    );
    const pages = Object.values(paths).filter((path) => typeof path === 'string');
    const [, addresses = ''] = /\n### 2\.1 [^\n]*\n(.*?)\n### /s.exec(product) ?? [];
    expect(screens).toContain('/admin/media');
    expect(pages).toContain('/account');
    expect([...pages, ...screens].filter((path) => !addresses.includes(`\`${path}\``))).toEqual([]);
    expect(fieldNames().filter((name) => !product.includes(`\`${name}\``))).toEqual([]);
  });

  it('have a rule for every field of posts, with its limit', () => {
    const [, rules = ''] = /\n### 5\.3 [^\n]*\n(.*?)\n### /s.exec(read('docs/product.md')) ?? [];
    const without = fieldNames().filter((name) => {
      const { kind, limit } = specOf(name);
      const row = new RegExp(`^\\| \`${name}\` .*`, 'm').exec(rules)?.[0];
      // What a point or a word may be is said in words.
      const isLimited = limit !== undefined && kind !== 'point' && kind !== 'words';
      return row === undefined || (isLimited && !row.includes(`at most ${limit.toLocaleString('en-US')}`));
    });
    expect(without).toEqual([]);
  });

  it('say of every page in the menus of the header that it is there', () => {
    const [, header = ''] = /\n### 2\.2 [^\n]*\n(.*?)\n### /s.exec(read('docs/product.md')) ?? [];
    const labels = Object.values<SitePageSpec>(sitePages).flatMap(({ menu, label }) =>
      menu === 'main' || menu === 'why' ? [label] : [],
    );
    expect(labels).toContain('Our Promise');
    expect(labels.filter((label) => !header.replace(/\s+/g, ' ').includes(label))).toEqual([]);
  });

  it('list every room of the server', () => {
    const rooms = filesOf('src/*/').map((path) => path.slice('src/'.length));
    expect(rooms).toContain('posts');
    const [readme, architecture] = [read('README.md'), read('docs/architecture.md')];
    expect(rooms.filter((room) => !new RegExp(`(^| )${room}/ `, 'm').test(readme))).toEqual([]);
    expect(rooms.filter((room) => !architecture.includes(`\`${room}\``))).toEqual([]);
  });

  it('introduce every room of more than ten files', () => {
    const rooms = [...filesOf('{src,client,client/features}/*/').filter((path) => path !== 'client/features'), 'cli'];
    const unexplained = rooms
      .filter((room) => filesOf(`${room}/**/*.{ts,tsx,css}`).length > 10)
      .filter((room) => !existsSync(join(root, room, 'README.md')));

    expect(rooms).toContain('src/posts');
    expect(unexplained).toEqual([]);
  });
});
