import { isRecord } from '../../shared/is-record.js';
import type { FrontMatter } from './front-matter-values.js';
import { fits } from './path-patterns.js';
import { isHexo } from './site-settings.js';

const UNDATED = 'has no date in its name, without which Jekyll shows no post';

/**
 * Why Jekyll makes nothing of a file; undefined where it does. It makes posts of dated names alone, and nothing of names that begin
 * with _ or that it is told to leave out.
 * @param path below the folder of the configuration
 * @param values of the configuration
 */
export function whyNothingOfJekyll(path: string, values: FrontMatter): string | undefined {
  const parts = path.split('/');
  const places = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  const isIn = (name: string) =>
    textsOf(values[name]).some((pattern) => places.some((place) => fits(pattern.replace(/^\/|\/$/g, ''), place)));
  if (isIn('exclude')) return 'is left out of the site there (exclude)';
  const hidden = parts.find(
    (part) => part.startsWith('_') && !/^_(?:posts|drafts)$/.test(part) && !isCollection(part, values),
  );
  if (hidden !== undefined && !isIn('include')) {
    return `is in no part of the site there (${hidden})`;
  }
  const isUndated = parts.includes('_posts') && !/^\d{2,4}-\d{1,2}-\d{1,2}-/.test(parts.at(-1) ?? '');
  // Posts of Hexo have no dates in theirs.
  return isUndated && !isHexo({ generator: 'jekyll', values }) ? UNDATED : undefined;
}

/** Returns true for the folder of a collection of which Jekyll makes pages. */
function isCollection(folder: string, { collections }: FrontMatter): boolean {
  const collection = isRecord(collections) ? collections[folder.slice(1)] : undefined;
  return isRecord(collection) && collection['output'] === true;
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}
