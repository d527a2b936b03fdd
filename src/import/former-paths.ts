import { readList, readText, type FrontMatter } from './markdown/front-matter-values.js';

/** The former addresses of a post, and warnings about fields that name some but cannot be understood. */
export interface FormerPaths {
  readonly oldPaths: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The addresses that front matter gives a post: `permalink` (Jekyll, Eleventy), `url` (Hugo), `path` (Zola), and what
 * led to it before that: `aliases`, `redirect_from`. Those that follow from a pattern are not among them.
 */
export function readFormerPaths(frontMatter: FrontMatter, isZola: boolean): FormerPaths {
  const path = isZola ? readText(frontMatter, 'path') : '';
  const written = [
    readText(frontMatter, 'permalink'),
    readText(frontMatter, 'url'),
    ...(path === '' || path.startsWith('/') ? [path] : [`/${path}`]),
    ...readList(frontMatter, 'aliases').map((alias) => (isZola && !alias.startsWith('/') ? `/${alias}` : alias)),
    ...readList(frontMatter, 'redirect_from'),
  ].filter((address) => address !== '' && address !== 'false');
  const oldPaths = new Set<string>();
  const warnings: string[] = [];
  for (const address of written) {
    const found = toPath(address);
    if (found === null) warnings.push(`the old address ${address} is no path from the root of a site: it was not kept`);
    else oldPaths.add(found);
  }
  return { oldPaths: [...oldPaths], warnings };
}

/** As browsers send it; null for patterns of generators, and for what is relative to something unknown. */
function toPath(address: string): string | null {
  const isPlain = /^(?:\/|https?:\/\/)/i.test(address) && !/\{\{|\{%|\/:[a-z]|\s/.test(address);
  if (!isPlain || !URL.canParse(address, 'http://site.invalid')) return null;
  return new URL(address, 'http://site.invalid').pathname;
}
