import { isRecord } from '../../shared/is-record.js';
import type { FrontMatter } from './front-matter-values.js';
import { isHtmlFile } from './source-files.js';

/** A site of Docusaurus, of whose configuration only the address and this is read. */
export interface DocusaurusSite {
  /** True if it reads `.md` as MDX, as it does unless its configuration says otherwise. */
  readonly isMdx: boolean;
}

interface SiteOfMany {
  readonly docusaurus?: DocusaurusSite;
}

/** Finds in a configuration that `.md` is Markdown there; undefined where it is MDX. */
export function readsMarkdown(config: string): string | undefined {
  return /\bformat["']?\s*:\s*["'](?:md|detect)["']/.exec(config)?.[0];
}

/** Returns true for a text of MDX, by its name or because its site reads all as such. */
export function isMdx(file: string, { mdx }: FrontMatter, { docusaurus }: SiteOfMany): boolean {
  if (/\.mdx$/i.test(file)) return true;
  const isOther = isRecord(mdx) && mdx['format'] !== 'mdx';
  return docusaurus?.isMdx === true && !isOther && !isHtmlFile(file);
}

/** Why readers of a site of Docusaurus do not see a file: it makes nothing of names that begin with a line below, but in other texts. */
export function whyLeftOut(file: string, { docusaurus }: SiteOfMany): string | undefined {
  const isLeftOut = docusaurus !== undefined && /(?:^|\/)_/.test(file);
  return isLeftOut ? 'is left out of the site there, as a name in its path begins with _' : undefined;
}
