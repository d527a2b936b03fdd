import { resolveShortcodes } from './hugo-shortcodes.js';
import { resolveReferences } from './post-references.js';
import { splitTemplates } from './template-blocks.js';

/** Text in which what a site generator left behind is resolved. */
export interface ResolvedText {
  readonly text: string;
  readonly warnings: readonly string[];
}

type FrontMatter = Readonly<Record<string, unknown>>;

const addressFilters =
  /^(?:(?:url|relative_url|absolute_url|safe|escape|strip)(?::.*)?|(?:prepend|append):\s*site\.(?:baseurl|url))$/;
const quoted = /^(["'])(.*)\1$/;
const siteAddress = /^site\.(?:baseurl|base_url|url)$/;

/**
 * Resolves what templates of static site generators leave in Markdown where the meaning is plain: `{{ "/path" | url }}`,
 * `{{ image | url }}` (a field of the front matter), `{{ site.baseurl }}`, an embedded video, code blocks of Liquid,
 * shortcodes that Hugo itself has, links to other posts. Attribute lists of kramdown (`{: .class}`) are taken out.
 * Anything else stays in the text and is reported. Code is left alone.
 * @param addresses of posts, by the references to them
 */
export function resolveLeftovers(
  markdown: string,
  frontMatter: FrontMatter,
  addresses: ReadonlyMap<string, string> = new Map(),
): ResolvedText {
  const warnings = new Set<string>();
  const context = { frontMatter, warnings, addressOf: (name: string) => addresses.get(name) ?? null };
  const parts = splitTemplates(markdown).map(({ text, isLiteral }) => {
    return isLiteral || !/[{@]/.test(text) ? text : resolveText(text, context);
  });
  return { text: parts.join(''), warnings: [...warnings].map(shorten) };
}

interface Context {
  readonly frontMatter: FrontMatter;
  readonly warnings: Set<string>;
  readonly addressOf: (reference: string) => string | null;
}

function resolveText(text: string, context: Context): string {
  // Code spans do not reach over an empty line; every other part of a paragraph is one.
  const paragraphs = text.split(/(\n[ \t]*\n)/).map((paragraph) => {
    const parts = paragraph.split(/(`+[^`]+`+)/);
    return parts.map((part, index) => (index % 2 === 1 ? part : resolvePart(part, context))).join('');
  });
  return paragraphs.join('');
}

function resolvePart(part: string, { frontMatter, warnings, addressOf }: Context): string {
  if (!/[{@]/.test(part)) return part;
  const resolved = resolveReferences(resolveShortcodes(part, addressOf), addressOf)
    .replace(/\{\{-?([^{}]*?)-?\}\}/g, (expression, inner: string) => {
      const value = resolveExpression(inner.trim(), frontMatter);
      if (value === null) warnings.add(`a template expression was left in the text: ${expression}`);
      return value ?? expression;
    })
    .replace(/\{:[^{}]*\}/g, (list) => {
      warnings.add(`an attribute list was removed: ${list}`);
      return '';
    });
  for (const [tag] of resolved.matchAll(/\{%[^%]*%\}/g)) warnings.add(`a template tag was left in the text: ${tag}`);
  return resolved;
}

function shorten(warning: string): string {
  const line = warning.replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}

/** The value of an expression whose meaning is plain; null for any other. */
function resolveExpression(expression: string, frontMatter: FrontMatter): string | null {
  const [subject = '', ...filters] = splitAtBars(expression);
  const value = readSubject(subject, frontMatter);
  if (value === null) return null;
  const [filter] = filters;
  if (filters.length === 1 && filter !== undefined && /^embed\b/.test(filter)) return toEmbed(value, filter);
  return filters.every((name) => addressFilters.test(name)) ? value : null;
}

function splitAtBars(expression: string): string[] {
  return (expression.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? []).map((part) => part.trim());
}

function readSubject(subject: string, frontMatter: FrontMatter): string | null {
  const text = quoted.exec(subject)?.[2];
  if (text !== undefined) return text;
  if (siteAddress.test(subject)) return '';
  const name = /^(?:page\.)?([A-Za-z_][\w-]*)$/.exec(subject)?.[1];
  const value = name === undefined ? undefined : frontMatter[name];
  return typeof value === 'string' ? value : null;
}

function toEmbed(address: string, filter: string): string | null {
  if (!/^https:\/\/[^\s"<>]+$/.test(address)) return null;
  const title = quoted.exec(/^embed:\s*(.*)$/.exec(filter)?.[1] ?? '')?.[2] ?? 'Video';
  return `<iframe src="${address}" title="${title.replaceAll('"', '&quot;')}"></iframe>`;
}
