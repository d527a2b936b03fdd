import { posix } from 'node:path';
import { readList, readText, type FrontMatter } from './markdown/front-matter-values.js';
import type { Generator } from './markdown/site-settings.js';

/** The former addresses of a post, and warnings about fields that name some but cannot be understood. */
export interface FormerPaths {
  readonly oldPaths: readonly string[];
  readonly warnings: readonly string[];
}

/** Words of Jekyll for patterns. */
const STYLES = /^(?:date|pretty|ordinal|weekdate|none)$/;

/**
 * The addresses that front matter gives a post: `permalink` (Jekyll, Eleventy), `url` (Hugo), `path` (Zola), and what
 * led to it before that: `aliases`, `redirect_from`. All are from the root of the site, but for aliases of Hugo, which are relative to the
 * post ({@link aliasesBeside}). Those that follow from a pattern are not among them.
 */
export function readFormerPaths(frontMatter: FrontMatter, generator: Generator | undefined): FormerPaths {
  const own = [readText(frontMatter, 'permalink'), readText(frontMatter, 'url')];
  const aliases = readList(frontMatter, 'aliases');
  const written = [
    ...own.filter((address) => address !== 'false' && !STYLES.test(address)).map(fromRoot),
    ...(generator === 'zola' ? [readText(frontMatter, 'path'), ...aliases].map(fromRoot) : []),
    ...(generator === 'hugo' ? aliases.filter((alias) => !isRelative(alias)) : []),
    ...(generator === 'zola' || generator === 'hugo' ? [] : aliases),
    ...readList(frontMatter, 'redirect_from').map(fromRoot),
  ].filter((address) => address !== '');
  const oldPaths = new Set<string>();
  const warnings: string[] = [];
  for (const address of written) {
    const found = toPath(address);
    if (found === null) warnings.push(`the old address ${address} is no path from the root of a site: it was not kept`);
    else oldPaths.add(found);
  }
  return { oldPaths: [...oldPaths], warnings };
}

/** The addresses that Hugo makes of relative aliases of the post that it had at a path: `old` of `/posts/new/` is `/posts/old`. */
export function aliasesBeside(frontMatter: FrontMatter, path: string): string[] {
  const relative = readList(frontMatter, 'aliases').filter(isRelative);
  return relative.flatMap((alias) => toPath(posix.join(posix.dirname(path), encodeURI(alias))) ?? []);
}

function isRelative(address: string): boolean {
  return !/^(?:\/|https?:\/\/)/i.test(address);
}

/** Patterns and what has spaces or schemes stay as they are, and are named as such. */
function fromRoot(address: string): string {
  return address !== '' && isRelative(address) && /^[^\s:{}]+$/.test(address) ? `/${address}` : address;
}

/** As browsers send it; null for patterns of generators, and for what is relative to something unknown. */
function toPath(address: string): string | null {
  const isPlain = /^(?:\/|https?:\/\/)/i.test(address) && !/\{\{|\{%|\/:[a-z]|\s/.test(address);
  if (!isPlain || !URL.canParse(address, 'http://site.invalid')) return null;
  return new URL(address, 'http://site.invalid').pathname;
}
