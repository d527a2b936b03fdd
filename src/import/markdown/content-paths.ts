import { posix } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import { withSmallNames } from './front-matter-publication.js';
import { readText, type FrontMatter } from './front-matter-values.js';
import { fits } from './path-patterns.js';
import type { SiteSettings } from './site-settings.js';

/** Folders that Hugo and Zola have for themselves and for themes, which bring texts to show what they look like. */
const OF_GENERATOR = new Set(
  'archetypes assets data i18n layouts public resources sass static templates themes'.split(' '),
);
const LEFT_OUT = 'is left out of the site there';

type Site = Pick<SiteSettings, 'generator' | 'values'>;

/**
 * Returns true for a file in a folder that generator and themes have for themselves.
 * @param path below the folder of the configuration
 */
export function isOfGenerator(path: string, site: Site | null): boolean {
  const [first = '', ...rest] = path.split('/');
  const isEither = site?.generator === 'hugo' || site?.generator === 'zola';
  return (
    isEither && rest.length > 0 && OF_GENERATOR.has(first) && !contentFolders(site).some((one) => isBelow(path, one))
  );
}

/**
 * Why Hugo or Zola makes nothing of a file; undefined where it does.
 * @param path below the folder of the configuration
 * @param names of what is in that folder: where none of the folders of texts is, nothing is known of them
 */
export function whyNothingOfContent(path: string, site: Site, names: ReadonlySet<string>): string | undefined {
  const folders = contentFolders(site);
  const isKnown = folders.some((folder) => names.has(folder.split('/')[0] ?? ''));
  if (isKnown && !folders.some((folder) => isBelow(path, folder))) return 'is outside the texts of the site there';
  const { values } = site;
  if (site.generator === 'zola') {
    const below = posix.relative('content', path);
    return listOf(values, 'ignored_content').some((pattern) => isMeant(pattern, below))
      ? `${LEFT_OUT} (ignored_content)`
      : undefined;
  }
  if (listOf(values, 'ignorefiles').some((pattern) => matches(pattern, path))) return `${LEFT_OUT} (ignoreFiles)`;
  const isExcluded = mountsOf(values).some(({ source, excluded }) =>
    excluded.some((pattern) => isBelow(path, source) && isMeant(pattern, posix.relative(source, path))),
  );
  return isExcluded ? `${LEFT_OUT} (excludeFiles)` : undefined;
}

/**
 * Returns true for a path that a file such as `.eleventyignore` names: itself, or a folder above it.
 * @param path below the folder of that file
 */
export function isIgnored(path: string, text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/^\.\//, ''));
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isNamed = (pattern: string) => isMeant(pattern.replace(/^\/|\/$/g, ''), path);
  // Of several that mean the same path, the last one counts.
  const last = patterns.findLast((pattern) => isNamed(pattern.replace(/^!/, '')));
  return last !== undefined && !last.startsWith('!');
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** Patterns mean a path, a folder above it, or the name of either. */
function isMeant(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const places = parts.flatMap((part, index) => [part, parts.slice(0, index + 1).join('/')]);
  const plain = pattern.replace(/^\*\*\//, '');
  return plain !== '' && places.some((place) => fits(plain, place) || fits(pattern, place));
}

/** Patterns of Hugo are expressions; ones that are none mean nothing there either. */
function matches(pattern: string, path: string): boolean {
  try {
    return new RegExp(pattern).test(`/${path}`);
  } catch {
    return false;
  }
}

/** The folders of texts, below that of the configuration. */
function contentFolders({ generator, values }: Site): string[] {
  if (generator === 'zola') return ['content'];
  const languages = isRecord(values['languages']) ? Object.values(values['languages']).filter(isRecord) : [];
  const named = [values, ...languages.map(withSmallNames)].map((settings) => readText(settings, 'contentdir'));
  const mounted = mountsOf(values).map(({ source }) => source);
  const own = named[0] === '' ? ['content'] : [];
  return [...own, ...named, ...mounted].filter((folder) => folder !== '').map(toFolder);
}

/** Folders that Hugo takes texts from in addition, or instead. */
function mountsOf({ module }: FrontMatter) {
  const mounts: unknown = isRecord(module) ? withSmallNames(module)['mounts'] : undefined;
  return (Array.isArray(mounts) ? (mounts as unknown[]) : [])
    .filter(isRecord)
    .map(withSmallNames)
    .filter((mount) => /^content(?:\/|$)/.test(readText(mount, 'target')))
    .map((mount) => ({ source: toFolder(readText(mount, 'source')), excluded: listOf(mount, 'excludefiles') }));
}

function toFolder(written: string): string {
  return posix.join('.', written).replace(/\/$/, '');
}

/** Like `readList`, for texts that may hold commas. */
function listOf(values: FrontMatter, name: string): string[] {
  const value = values[name];
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}
