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
 * `{{ image | url }}` (a field of the front matter), `{{ site.baseurl }}`, an embedded video. Attribute lists of
 * kramdown (`{: .class}`) are taken out. Anything else stays in the text and is reported. Code is left alone.
 */
export function resolveLeftovers(markdown: string, frontMatter: FrontMatter): ResolvedText {
  const warnings = new Set<string>();
  let fence: string | null = null;
  const lines = markdown.split('\n').map((line) => {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (marker?.startsWith(fence) === true && line.trim() === marker) fence = null;
      return line;
    }
    if (marker !== undefined) {
      fence = marker;
      return line;
    }
    return resolveLine(line, frontMatter, warnings);
  });
  return { text: lines.join('\n'), warnings: [...warnings] };
}

function resolveLine(line: string, frontMatter: FrontMatter, warnings: Set<string>): string {
  if (!line.includes('{')) return line;
  // Every other part is a code span.
  return line
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : resolvePart(part, frontMatter, warnings)))
    .join('');
}

function resolvePart(part: string, frontMatter: FrontMatter, warnings: Set<string>): string {
  const resolved = part
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
