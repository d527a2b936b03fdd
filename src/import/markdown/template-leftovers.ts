import { findPlaces, type Place } from './code-places.js';
import { resolveShortcodes } from './hugo-shortcodes.js';
import { resolveReferenceTag } from './post-references.js';
import { findConstructs, type Construct } from './template-constructs.js';

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
/** An attribute list of kramdown: classes, ids, names with values, names of lists; and its own tags (`{::comment}`). */
const attributeList =
  /^\{:(?:\s{0,20}(?:[.#][\w-]{1,100}|:?[A-Za-z][\w:-]{0,100}(?:=(?:"[^"{}]*"|'[^'{}]*'|[^\s"'{}]{1,100}))?)(?=[\s}.#])){1,30}\s{0,20}\}$|^\{:[:/][^{}]*\}$|^\{:\s{0,20}\}$/;

/** The post and site to which the text belongs. */
export interface LeftoverContext {
  readonly frontMatter: FrontMatter;
  /** Addresses of posts, by the references to them. */
  readonly addresses: ReadonlyMap<string, string>;
  /** True when the generator reads tags like `{% raw %}` everywhere: Jekyll and Eleventy do, Hugo and Zola do not. */
  readonly isLiquid: boolean;
  /** True for a text that is HTML already. */
  readonly isHtml?: boolean;
}

/**
 * Resolves what templates of static site generators leave in Markdown where the meaning is plain: `{{ "/path" | url }}`,
 * `{{ image | url }}` (a field of the front matter), `{{ site.baseurl }}`, an embedded video, code blocks of Liquid,
 * shortcodes that Hugo itself has, links to other posts. Attribute lists of kramdown (`{: .class}`) are taken out.
 * Anything else stays in the text and is reported. Code is left alone, whatever makes it code.
 */
export function resolveLeftovers(markdown: string, context: LeftoverContext): ResolvedText {
  const { text, constructs } = findConstructs(markdown, context.isLiquid);
  if (constructs.length === 0) return { text, warnings: [] };
  const places = findPlaces(text, constructs, context.isHtml === true);
  const warnings = new Set<string>();
  let resolved = '';
  let at = 0;
  for (const [index, construct] of constructs.entries()) {
    const written = text.slice(construct.start, construct.end);
    const place = places[index];
    resolved += text.slice(at, construct.start);
    resolved += place?.isCode === true ? written : resolve({ construct, written, text, place }, context, warnings);
    at = construct.end;
  }
  return { text: resolved + text.slice(at), warnings: [...warnings].map(shorten) };
}

/** A construct where it stands. */
interface Standing {
  readonly construct: Construct;
  readonly written: string;
  readonly text: string;
  readonly place: Place | undefined;
}

function resolve(standing: Standing, context: LeftoverContext, warnings: Set<string>): string {
  const { construct, written } = standing;
  const addressOf = (name: string) => context.addresses.get(name) ?? null;
  switch (construct.kind) {
    case 'region':
      return construct.isComment === true ? '' : toFence(standing);
    case 'reference':
      return addressOf(written.slice('@/'.length)) ?? written;
    case 'attributes':
      if (!isAttributeList(standing)) return written;
      warnings.add(`an attribute list was removed: ${written}`);
      return '';
    case 'tag': {
      const address = resolveReferenceTag(written, addressOf);
      if (address === null) warnings.add(`a template tag was left in the text: ${written}`);
      return address ?? written;
    }
    case 'expression': {
      const shortcode = resolveShortcodes(written, addressOf);
      if (shortcode !== written) return shortcode;
      const value = resolveExpression(written.replace(/^\{\{-?|-?\}\}$/g, '').trim(), context.frontMatter);
      if (value === null) warnings.add(`a template expression was left in the text: ${written}`);
      return value ?? written;
    }
  }
}

/** One alone in its line, at the beginning of an item, or right behind what it is about; `{:ok, x}` in a sentence is none. */
function isAttributeList({ construct, written, text }: Standing): boolean {
  if (!attributeList.test(written)) return false;
  if (/^\{:[:/]/.test(written)) return true;
  const lineStart = text.lastIndexOf('\n', construct.start - 1) + 1;
  const before = text.slice(Math.max(lineStart, construct.start - 200), construct.start);
  return /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$|[)\]*_`>}]$/.test(before);
}

/** Code of a `highlight` tag as a fence, with the marks of the list or the quotation that it is in. */
function toFence({ construct, text, place }: Standing): string {
  const { inside = '', words = '' } = construct;
  const prefix = place?.isNested === true ? prefixOf(text, construct.start) : '';
  const code = withoutPrefix(inside.replace(/^\n+|\n[ \t\n]*$/g, ''), prefix);
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const language = /^\s*"?([\w+#.-]{1,30})/.exec(words)?.[1] ?? '';
  if (prefix === '') return `\n${fence}${language}\n${code}\n${fence}\n`;
  const lines = [...code.split('\n'), fence].map((line) => prefix + line);
  const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(construct.end, construct.end + 200));
  return `${fence}${language}\n${lines.join('\n')}${isLast ? '' : `\n${prefix}`}`;
}

/** Lines as they are in the list or quotation, if each of them is in it. */
function withoutPrefix(code: string, prefix: string): string {
  const lines = code.split('\n');
  const isInside = lines.every((line) => line.startsWith(prefix) || line.trim() === '');
  return isInside ? lines.map((line) => line.slice(prefix.length)).join('\n') : code;
}

/** Returns the prefix of further lines of the same list or quotation; empty if there is other text in front. */
function prefixOf(text: string, start: number): string {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(before)) return '';
  return before.replace(/(?:[-*+]|\d{1,9}[.)])(?=[ \t]+$)/, (mark) => ' '.repeat(mark.length));
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
