import { USUAL_DIALECT, type MarkdownDialect } from '../../shared/markdown-extensions.js';
import { isRecord } from './front-matter-values.js';
import { isOfKramdown } from './kramdown.js';
import type { SourceSite } from './site-front-matter.js';

/**
 * Returns how the generator of a site reads what is not in every Markdown: kramdown and Zola make no links of bare addresses, Eleventy
 * of none either unless it is told so, Hugo of some, unless it is told otherwise.
 */
export function dialectOf({
  configuration: site,
  conventions,
}: Pick<SourceSite, 'configuration' | 'conventions'>): MarkdownDialect {
  if (conventions?.generator === 'eleventy' && conventions.isLinking !== true) {
    return { ...USUAL_DIALECT, bareAddresses: 'none' };
  }
  if (isOfKramdown(site)) return { bareAddresses: 'none', hasSigns: false };
  if (site?.generator === 'zola') return { ...USUAL_DIALECT, bareAddresses: 'none' };
  if (site?.generator !== 'hugo') return USUAL_DIALECT;
  const isLinking = valueAt(site.values, ['markup', 'goldmark', 'extensions', 'linkify']) !== false;
  return { ...USUAL_DIALECT, bareAddresses: isLinking ? 'after-spaces' : 'none' };
}

/** Capitals do not count for Hugo. */
function valueAt(values: unknown, [name, ...below]: readonly string[]): unknown {
  if (name === undefined) return values;
  const found = isRecord(values) ? Object.entries(values).find(([key]) => key.toLowerCase() === name) : undefined;
  return found === undefined ? undefined : valueAt(found[1], below);
}
