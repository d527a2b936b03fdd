import { posix } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import { slugify } from '../../shared/slug.js';
import { languageInPath } from '../source-choices.js';
import type { OldList } from '../source-post.js';
import { readTerms } from './front-matter-fields.js';
import type { FrontMatter } from './front-matter-values.js';
import { basePathOf, urlize } from './permalink.js';
import type { SiteSettings } from './site-settings.js';

type Kind = OldList['kind'];

/** Names of the folders of lists, where a configuration says nothing; themes of Jekyll have the second one as often. */
const FOLDERS: Readonly<Record<Kind, readonly string[]>> = {
  category: ['categories', 'category'],
  tag: ['tags', 'tag'],
  author: ['authors', 'author'],
};

/**
 * Returns the addresses of the lists of categories, tags and authors that a post was in, as generators make them and as Jekyll's plugin
 * for archives is told.
 * @param author the one that the post has here; its lists are known if the front matter names one
 */
export function formerLists(
  frontMatter: FrontMatter,
  file: string,
  author: string,
  site: Pick<SiteSettings, 'generator' | 'values' | 'prefix'> | null,
): OldList[] {
  const { taxonomies, extra } = frontMatter;
  const all = { ...(isRecord(extra) ? extra : {}), ...(isRecord(taxonomies) ? taxonomies : {}), ...frontMatter };
  const isNamed = ['author', 'authors'].some((name) => all[name] != null);
  const terms = readTerms(all, site?.generator);
  const names: Readonly<Record<Kind, readonly string[]>> = {
    category: terms.categories,
    tag: terms.tags,
    author: isNamed && author !== '' && !author.includes(', ') ? [author] : [],
  };
  const language = site === null || site.generator === 'jekyll' ? undefined : languageInPath(file);
  const base = site === null ? '' : basePathOf(site);
  return (Object.keys(names) as Kind[]).flatMap((kind) =>
    names[kind].flatMap((name) => {
      const folders = patternsOf(kind, site).map((pattern) => `/${base}/${pattern}`);
      const translated =
        language === undefined ? [] : patternsOf(kind, site).map((pattern) => `/${base}/${language}/${pattern}`);
      const spellings = new Set([slugify(name), urlize(name)].filter((part) => part !== ''));
      return [...folders, ...translated].flatMap((folder) =>
        [...spellings].map((part) => ({ path: pathWith(folder, part), kind, name: name.replace(/\s+/g, ' ') })),
      );
    }),
  );
}

function patternsOf(kind: Kind, site: Pick<SiteSettings, 'generator' | 'values'> | null): string[] {
  const archives = site?.generator === 'jekyll' ? site.values['jekyll-archives'] : undefined;
  const permalinks = isRecord(archives) ? archives['permalinks'] : undefined;
  const own = isRecord(permalinks) ? permalinks[kind] : undefined;
  if (typeof own === 'string' && own.includes(':name')) return [own];
  const folders = site?.generator === 'jekyll' || kind === 'author' ? FOLDERS[kind] : FOLDERS[kind].slice(0, 1);
  return folders.map((folder) => `${folder}/:name/`);
}

function pathWith(pattern: string, name: string): string {
  const path = pattern.replaceAll(':name', () => encodeURIComponent(name));
  return posix.normalize(path).replace(/\/{2,}/g, '/');
}
