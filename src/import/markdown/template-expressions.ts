import { valueAt, type SiteVariables } from './site-variables.js';

/** Filters after which a value is still the same here: addresses begin at the root, and text is escaped anyway. */
const addressFilters =
  /^(?:(?:url|relative_url|absolute_url|safe|escape|strip)(?::.*)?|(?:prepend|append):\s*site\.(?:baseurl|url))$/;
const quoted = /^(["'])(.*)\1$/;
const siteAddress = /^site\.(?:baseurl|base_url|url)$/;
/** The values that expressions name. */
export interface ExpressionContext {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly variables?: SiteVariables;
}

/** Returns the value of an expression like `site.title | escape` whose meaning is plain; null for any other. */
export function resolveExpression(expression: string, context: ExpressionContext): string | null {
  const [subject = '', ...filters] = splitAtBars(expression);
  const value = readSubject(subject, context);
  if (value === null) return null;
  const [filter] = filters;
  if (filters.length === 1 && filter !== undefined && /^embed\b/.test(filter)) return toEmbed(value, filter);
  return filters.every((name) => addressFilters.test(name)) ? value : null;
}

function splitAtBars(expression: string): string[] {
  return (expression.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? []).map((part) => part.trim());
}

/** Returns the text that a word of an expression stands for: in quotes, of the site, or of the page. */
export function readSubject(subject: string, { frontMatter, variables }: ExpressionContext): string | null {
  const text = quoted.exec(subject)?.[2];
  if (text !== undefined) return text;
  if (siteAddress.test(subject)) return '';
  if (/^site[.[]/.test(subject)) return variables?.find(subject) ?? null;
  if (/^page[.[]/.test(subject)) return valueAt(frontMatter, subject.slice('page'.length));
  const value = /^[A-Za-z_][\w-]*$/.test(subject) ? frontMatter[subject] : undefined;
  return typeof value === 'string' ? value : null;
}

function toEmbed(address: string, filter: string): string | null {
  if (!/^https:\/\/[^\s"<>]+$/.test(address)) return null;
  const title = quoted.exec(/^embed:\s*(.*)$/.exec(filter)?.[1] ?? '')?.[2] ?? 'Video';
  return `<iframe src="${address}" title="${title.replaceAll('"', '&quot;')}"></iframe>`;
}
