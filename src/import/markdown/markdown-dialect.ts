import { isRecord } from '../../shared/is-record.js';
import { USUAL_DIALECT, type MarkdownDialect } from '../../shared/markdown-extensions.js';
import { withSmallNames } from './front-matter-publication.js';
import type { FrontMatter } from './front-matter-values.js';
import { isOfKramdown } from './kramdown.js';
import type { SourceSite } from './site-front-matter.js';

/** Zola alone shows footnotes to which nothing leads. */
const others: MarkdownDialect = { ...USUAL_DIALECT, showsUnusedNotes: false };

/**
 * Returns how the generator of a site reads what is not in every Markdown: kramdown and Zola make no links of bare addresses, Eleventy
 * of none either unless it is told so, Hugo of some, unless it is told otherwise. Signs and lists of definitions are text in Zola.
 */
export function dialectOf({
  configuration: site,
  conventions,
}: Pick<SourceSite, 'configuration' | 'conventions'>): MarkdownDialect {
  if (conventions?.generator === 'eleventy') {
    const { isLinking, hasIndentedCode = false } = conventions;
    return { ...others, bareAddresses: isLinking === true ? 'all' : 'none', hasIndentedCode };
  }
  if (isOfKramdown(site)) return { ...others, bareAddresses: 'none', hasSigns: false, isOfKramdown: true };
  if (site?.generator === 'zola') {
    const { markdown } = site.values;
    const hasDefinitions = isRecord(markdown) && markdown['definition_list'] === true;
    return { bareAddresses: 'none', hasSigns: false, hasDefinitions, isOfZola: true };
  }
  if (site?.generator !== 'hugo') return conventions === null && site === null ? USUAL_DIALECT : others;
  const isLinking = valueOfHugo(site.values, ['markup', 'goldmark', 'extensions', 'linkify']) !== false;
  return { ...others, bareAddresses: isLinking ? 'after-spaces' : 'none' };
}

/** The value of a setting of Hugo, for which capitals do not count. */
export function valueOfHugo(values: unknown, [name, ...below]: readonly string[]): unknown {
  if (name === undefined) return values;
  const found = isRecord(values) ? Object.entries(values).find(([key]) => key.toLowerCase() === name) : undefined;
  return found === undefined ? undefined : valueOfHugo(found[1], below);
}

const MATH = ['math', 'mathjax', 'katex', 'latex', 'use_math', 'usemath', 'has_math', 'math_rendering'];

/** Returns true where a post, or the configuration of its site, says that there are formulas in its text. */
export function hasFormulas(frontMatter: FrontMatter, site: SourceSite['configuration']): boolean {
  const values = site?.values ?? {};
  const tables = [frontMatter, frontMatter['params'], frontMatter['extra'], values, values['params'], values['extra']];
  const [said] = tables
    .filter(isRecord)
    .map(withSmallNames)
    .flatMap((table) => MATH.flatMap((name) => table[name] ?? []));
  if (said !== undefined) return said === true || (typeof said === 'string' && !/^(?:false|no|off|0?)$/i.test(said));
  return JSON.stringify(valueOfHugo(values, passthrough) ?? null).includes('["$","$"]');
}

const passthrough = ['markup', 'goldmark', 'extensions', 'passthrough', 'delimiters', 'inline'];
