import { isRecord } from '../../shared/is-record.js';
import { splitDatedName } from '../post-date.js';
import { readText, type FrontMatter } from './front-matter-values.js';
import { fits } from './path-patterns.js';
import { isHexo } from './site-settings.js';

/** The place of a file in a site of Jekyll. */
interface JekyllPlace {
  /** `posts`, `drafts` or the name of another collection; undefined for a page. */
  readonly collection: string | undefined;
  /** Folders above that of the collection. */
  readonly above: readonly string[];
  /** Path in the folder of the collection, or of the site, without the ending. */
  readonly path: string;
}

const STYLES: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
};

/** The pattern of a post, a text of another collection or a page; null where its front matter says a whole address. */
export function patternOfJekyll(file: string, frontMatter: FrontMatter, values: FrontMatter): string | null {
  const own = readText(frontMatter, 'permalink') || readText(jekyllDefaults(file, values), 'permalink');
  const style = readText(values, 'permalink') || 'date';
  if (own !== '') return STYLES[own] ?? (/:[a-z_]{3,}/.test(own) ? own : null);
  const { collection, path } = placeInJekyll(file, values);
  if (collection === undefined) return path.endsWith('index') ? '/:folder/' : `/:path${pageEndingOf(style, values)}`;
  const { collections } = values;
  const settings = isRecord(collections) ? collections[collection === 'drafts' ? 'posts' : collection] : undefined;
  const set = isRecord(settings) ? readText(settings, 'permalink') : '';
  if (set !== '') return STYLES[set] ?? set;
  if (collection !== 'posts' && collection !== 'drafts') return `/:collection/:path${endingOf(style)}`;
  return STYLES[style] ?? (style.includes(':') ? style : null);
}

function pageEndingOf(style: string, values: FrontMatter): string {
  return isHexo({ generator: 'jekyll', values }) ? ':output_ext' : endingOf(style);
}

/** Pages and collections have the dates of no pattern, and end as posts do. */
function endingOf(style: string): string {
  if (style === 'pretty' || style.endsWith('/')) return '/';
  return style in STYLES || style.endsWith(':output_ext') ? ':output_ext' : '';
}

/** Finds out where a file is, by the folders that the configuration names: its source, and that of collections. */
export function placeInJekyll(file: string, values: FrontMatter): JekyllPlace {
  const inSource = withoutFolder(file, sourceOf(values));
  const own = withoutFolder(inSource, readText(values, 'collections_dir'));
  const [, above = '', name, rest = ''] = /^(?:(.*)\/)?_(posts|drafts)\/(.*)$/.exec(own) ?? [];
  const path = (text: string) => text.replace(/\.[^./]+$/, '');
  if (name !== undefined) return { collection: name, above: above.split('/').filter(Boolean), path: path(rest) };
  const [, collection, inside = ''] = /^_([^/]+)\/(.*)$/.exec(own) ?? [];
  return collection === undefined
    ? { collection: undefined, above: [], path: path(inSource) }
    : { collection, above: [], path: path(inside) };
}

/** The folder of all texts, which Hexo has in a folder of its own unless it is told otherwise. */
function sourceOf(values: FrontMatter): string {
  if (!isHexo({ generator: 'jekyll', values })) return readText(values, 'source');
  return readText(values, 'source_dir') || 'source';
}

/** The part of an address that Hexo makes of a file: its path below that of posts, with a date where its names have none before them. */
export function titleOfHexo(file: string, values: FrontMatter): string {
  const { path } = placeInJekyll(file, values);
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const isDated = readText(values, 'new_post_name').includes(':year');
  return [...parts, isDated ? splitDatedName(name).rest : name].map(jekyllTitle).join('/');
}

function withoutFolder(file: string, folder: string): string {
  const start = folder.replace(/^(?:\.?\/)+|\/+$/g, '');
  return start !== '' && start !== '.' && file.startsWith(`${start}/`) ? file.slice(start.length + 1) : file;
}

/**
 * The values that Jekyll gives the front matter of texts: of several, those of the longest path count, and of equal ones those that name a
 * kind of text.
 */
export function jekyllDefaults(file: string, values: FrontMatter): FrontMatter {
  const defaults: readonly unknown[] = Array.isArray(values['defaults']) ? values['defaults'] : [];
  const { collection = 'pages' } = placeInJekyll(file, values);
  const path = withoutFolder(file, sourceOf(values));
  const paths = [path, withoutFolder(path, readText(values, 'collections_dir'))];
  const fitting = defaults.filter(isRecord).flatMap(({ scope, values: given }) => {
    if (!isRecord(given)) return [];
    const { path: place, type } = isRecord(scope) ? scope : {};
    const folder = typeof place === 'string' ? place.replace(/^\/|\/$/g, '') : '';
    const isTyped = typeof type === 'string' && type !== '';
    if (isTyped && type !== collection) return [];
    return paths.some((one) => isInside(one, folder)) ? [{ length: folder.length, isTyped, given }] : [];
  });
  fitting.sort((a, b) => a.length - b.length || Number(a.isTyped) - Number(b.isTyped));
  return Object.assign({}, ...fitting.map(({ given }) => given)) as FrontMatter;
}

/** A path with stars means what it fits, and all that is below. */
function isInside(path: string, folder: string): boolean {
  if (folder === '' || path === folder || path.startsWith(`${folder}/`)) return true;
  return folder.includes('*') && (fits(folder, path) || fits(`${folder}/**`, path));
}

/** As Jekyll writes words in addresses: in small letters, of every alphabet. */
export function jekyllSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** As Jekyll writes names of files in addresses: with their capitals. */
export function jekyllTitle(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}._~!$&'()+,;=@]+/gu, '-').replace(/^-|-$/g, '');
}

/** The values of the tokens that only Jekyll has; undefined for others. */
export function readJekyllToken(token: string, file: string, values: FrontMatter): string | undefined {
  const { collection, path } = placeInJekyll(file, values);
  const name = path.split('/').at(-1) ?? '';
  const isPost = collection === 'posts' || collection === 'drafts';
  switch (token) {
    case 'collection':
      return collection ?? '';
    case 'path':
      return path;
    case 'folder':
      return path.split('/').slice(0, -1).join('/');
    case 'basename':
      return name;
    case 'name':
      return isPost ? jekyllSlug(splitDatedName(name).rest) : jekyllSlug(name);
    default:
      return undefined;
  }
}
