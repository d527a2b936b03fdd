import { ABOVE } from '../heading-places.js';
import { fillTemplate, TagNotes, type ShortcodeRules, type TagArguments } from '../shortcode-rules.js';
import { findPlaces, type Place } from './code-places.js';
import type { ConventionalSite } from './conventional-address.js';
import { oneLine } from './front-matter-values.js';
import { isLinkAlone, renderKnownTag } from './known-tags.js';
import { resolveReferenceTag } from './post-references.js';
import type { Generator } from './site-settings.js';
import type { SiteVariables } from './site-variables.js';
import { findConstructs, type Construct } from './template-constructs.js';
import { readSubject, resolveExpression } from './template-expressions.js';
import { readTag, type WrittenTag } from './written-tags.js';

/** Text in which what a site generator left behind is resolved. */
export interface ResolvedText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** An attribute list of kramdown: classes, ids, names with values, names of lists; and its own tags (`{::comment}`). */
const attributeList =
  /^\{:(?:\s{0,20}(?:[.#][\w-]{1,100}|:?[A-Za-z][\w:-]{0,100}(?:=(?:"[^"{}]*"|'[^'{}]*'|[^\s"'{}]{1,100}))?)(?=[\s}.#])){1,30}\s{0,20}\}$|^\{:[:/][^{}]*\}$|^\{:\s{0,20}\}$/;

/** The post and site to which the text belongs. */
export interface LeftoverContext {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Addresses of posts, by the references to them. */
  readonly addresses: ReadonlyMap<string, string>;
  /** True when the generator reads tags like `{% raw %}` everywhere: Jekyll and Eleventy do, Hugo and Zola do not. */
  readonly isLiquid: boolean;
  /** The generator whose tags the text has; undefined when it is not known. */
  readonly generator?: Generator | Exclude<ConventionalSite['generator'], 'docusaurus'>;
  /** True where `{# text #}` is a comment. */
  readonly isNunjucks?: boolean;
  /** True for a text that is HTML already. */
  readonly isHtml?: boolean;
  /** Rules of the operator for tags. */
  readonly rules?: ShortcodeRules;
  readonly variables?: SiteVariables;
}

/** A block, or a picture alone, which CommonMark at the beginning of a line reads as HTML up to an empty line. */
const blockOfHtml = /^<(?:blockquote|details|div|dl|figure|iframe|ol|p|section|table|ul)\b|^<img\b[^<>]*>$/;

/** Deeper than anybody writes; beyond, tags enclose nothing. */
const MAX_DEPTH = 100;

/**
 * Resolves what templates of static site generators leave in Markdown: as the rules of the operator say, else where the
 * meaning is plain: `{{ "/path" | url }}`, `{{ image | url }}` (a field of the front matter), variables of the site, an
 * embedded video, code blocks of Liquid, tags that are well known, links to other posts. Attribute lists of kramdown
 * (`{: .class}`) are taken out. Anything else stays in the text and is reported. Code is left alone, whatever makes it
 * code, but for what Jekyll fills in there as everywhere.
 */
export function resolveLeftovers(markdown: string, context: LeftoverContext): ResolvedText {
  const { generator } = context;
  const isOfLiquid = context.isLiquid && generator !== 'hugo' && generator !== 'astro';
  const escape = generator === undefined || generator === 'hugo' ? 'hugo' : generator === 'zola' ? 'zola' : null;
  const { text, constructs } = findConstructs(markdown, isOfLiquid, escape, context.isNunjucks);
  if (constructs.length === 0) return { text, warnings: [] };
  const places = findPlaces(text, constructs, context.isHtml === true);
  const standings = constructs.map((construct, index): Standing => {
    const written = text.slice(construct.start, construct.end);
    const place = places[index];
    const isTag = place?.isCode !== true && (construct.kind === 'tag' || construct.kind === 'expression');
    return { construct, written, text, place, tag: isTag ? readTag(written) : null };
  });
  const ends = findEnds(standings);
  const notes: Notes = { warnings: new Set(), tags: new TagNotes() };
  const frames: { readonly opening: Standing | null; readonly end: number; text: string }[] = [
    { opening: null, end: -1, text: '' },
  ];
  let at = 0;
  for (const [index, standing] of standings.entries()) {
    const frame = frames.at(-1);
    if (frame === undefined) break;
    const { construct, place } = standing;
    frame.text += text.slice(at, construct.start);
    at = construct.end;
    const end = ends.get(index);
    if (end !== undefined) frames.push({ opening: standing, end, text: '' });
    else if (frame.opening !== null && frame.end === index) {
      frames.pop();
      const outer = frames.at(-1);
      if (outer !== undefined) outer.text += resolveEnclosing(frame.opening, standing, frame.text, context, notes);
    } else if (construct.kind === 'escape') frame.text += toShown(standing);
    else
      frame.text +=
        place?.isCode === true ? resolveInCode(standing, context, notes) : resolve(standing, context, notes);
  }
  const resolved = (frames[0]?.text ?? '') + text.slice(at);
  return { text: resolved, warnings: [...[...notes.warnings].map(shorten), ...notes.tags.list().map(shorten)] };
}

/** A construct where it stands. */
interface Standing {
  readonly construct: Construct;
  readonly written: string;
  readonly text: string;
  readonly place: Place | undefined;
  /** Null for code, and for what is no tag. */
  readonly tag: WrittenTag | null;
}

interface Notes {
  readonly warnings: Set<string>;
  readonly tags: TagNotes;
}

/** Finds the tags that are closed, each with the index of what closes it; what is never closed encloses nothing. */
function findEnds(standings: readonly Standing[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { readonly index: number; readonly pair: string }[] = [];
  const counts = new Map<string, number>();
  const count = (pair: string, change: number) => counts.set(pair, (counts.get(pair) ?? 0) + change);
  for (const [index, { tag }] of standings.entries()) {
    if (tag === null || tag.pair === '') continue;
    if (!tag.isClosing) {
      open.push({ index, pair: tag.pair });
      count(tag.pair, 1);
    } else if ((counts.get(tag.pair) ?? 0) > 0) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        count(last.pair, -1);
        if (last.pair !== tag.pair) continue;
        ends.set(last.index, index);
        break;
      }
    }
  }
  return withoutDeepOnes(ends, standings.length);
}

function withoutDeepOnes(ends: Map<number, number>, length: number): Map<number, number> {
  const closings = new Set<number>();
  for (let index = 0, depth = 0; index < length; index += 1) {
    const end = ends.get(index);
    if (end !== undefined && depth >= MAX_DEPTH) ends.delete(index);
    else if (end !== undefined) {
      closings.add(end);
      depth += 1;
    } else if (closings.has(index)) depth -= 1;
  }
  return ends;
}

/** Writes a tag with what it encloses, which is resolved already. */
function resolveEnclosing(opening: Standing, end: Standing, inner: string, context: LeftoverContext, notes: Notes) {
  const found = renderTag(opening, inner, context, notes, end.construct.end);
  if (found !== null) return found;
  if (opening.tag !== null) notes.tags.add(`the tag ${opening.tag.label} was left in the text`);
  return opening.written + inner + end.written;
}

function resolve(standing: Standing, context: LeftoverContext, notes: Notes): string {
  const { construct, written, tag } = standing;
  const { warnings } = notes;
  switch (construct.kind) {
    case 'region':
      return construct.isComment === true ? '' : toFence(standing);
    case 'escape':
      return toShown(standing);
    case 'contents':
      warnings.add('a table of contents was left out, which its generator makes of the headings ({:toc})');
      return '';
    case 'reference':
      return context.addresses.get(written.slice('@/'.length)) ?? written;
    case 'attributes':
      if (!isAttributeList(standing)) return written;
      return toPlace(standing, warnings);
    case 'tag': {
      if (/^\{%-?\s{0,9}#/.test(written)) return '';
      const address = resolveReferenceTag(written, (name) => context.addresses.get(name) ?? null);
      const found = address ?? fileOfTag(written) ?? renderTag(standing, '', context, notes);
      if (found === null) notes.tags.add(`the tag ${tag?.label ?? oneLine(written)} was left in the text`);
      return found ?? written;
    }
    case 'expression': {
      if (tag !== null) {
        const found = renderTag(standing, '', context, notes);
        if (found === null) notes.tags.add(`the tag ${tag.label} was left in the text`);
        return found ?? written;
      }
      if (!readsExpressions(context)) return written;
      const value = resolveExpression(written.replace(/^\{\{-?|-?\}\}$/g, '').trim(), context);
      if (value === null) warnings.add(`a template expression was left in the text: ${written}`);
      return value ?? written;
    }
  }
}

/**
 * Jekyll and Hugo know nothing of code: there, tags in it mean what they mean elsewhere. Values and addresses of posts are filled in as Jekyll
 * does; all else is named.
 */
function resolveInCode({ construct, written }: Standing, context: LeftoverContext, { warnings, tags }: Notes) {
  // What a template engine takes out is in no code that it gives.
  if (construct.isComment === true) return construct.isOfKramdown !== true && isTemplateInCode(context) ? '' : written;
  const tag = readTag(written);
  if (context.generator === 'hugo' && tag?.isClosing === false && /^\{\{[<%]/.test(written)) {
    tags.add(`the tag ${tag.label} was left in code`);
  }
  if (context.generator !== 'jekyll') return written;
  if (construct.kind === 'expression') {
    const value = resolveExpression(written.replace(/^\{\{-?|-?\}\}$/g, '').trim(), context);
    if (value === null) warnings.add(`a template expression was left in code: ${written}`);
    return value ?? written;
  }
  if (construct.kind !== 'tag') return written;
  const address = resolveReferenceTag(written, (name) => context.addresses.get(name) ?? null);
  if (address === null) tags.add(`the tag ${tag?.label ?? oneLine(written)} was left in code`);
  return address ?? written;
}

function isTemplateInCode({ generator, isNunjucks }: LeftoverContext): boolean {
  return generator === 'jekyll' || generator === 'eleventy' || isNunjucks === true;
}

/** A tag that is to be shown, without the marks that say so; outside code, it is no element of HTML either. */
function toShown({ written, place }: Standing): string {
  const shown = written.replace(/^(\{[{%][<%]?)\/\*/, '$1').replace(/\*\/([>%]?[%}]\})$/, '$1');
  return place?.isCode === true ? shown : shown.replaceAll('<', '&lt;');
}

/** The address of a file that is no text, as Jekyll gives it (`{% link assets/a.pdf %}`); null for other tags. */
function fileOfTag(written: string): string | null {
  const [, path = '', ending = ''] =
    /^\{%-?\s{0,9}link\s{1,9}\/?([^\s%{}:]{1,500}\.(\w{2,5}))\s{0,9}-?%\}$/.exec(written) ?? [];
  return path === '' || /^(?:md|markdown|mkdn?|mdown|html?)$/i.test(ending) ? null : `/${path}`;
}

/** Returns false where the generator shows expressions as they are written, since its texts are no templates. */
function readsExpressions({ generator }: LeftoverContext): boolean {
  return generator !== 'hugo' && generator !== 'zola' && generator !== 'astro';
}

/**
 * A tag as the operator or its generator means it; null for one that nobody knows.
 * @param end of the tag, or of the one that closes it
 */
function renderTag(
  standing: Standing,
  inner: string,
  context: LeftoverContext,
  notes: Notes,
  end = standing.construct.end,
): string | null {
  const { tag } = standing;
  if (tag === null || tag.isClosing) return null;
  const { generator } = context;
  const valueOf = (name: string) =>
    readSubject(name, context) ?? context.variables?.find(`site.params.${name}`) ?? null;
  const isVariable = /^(?:page|site)\.[\w.[\]"'-]{1,200}$/;
  const meant = (value: string) => (isVariable.test(value) ? (valueOf(value) ?? value) : value);
  const filled: TagArguments = {
    attributes: new Map([...tag.attributes].map(([name, value]) => [name, meant(value)] as const)),
    values: tag.values.map(meant),
    inner: asBlock(inner, standing, context),
  };
  const rule = context.rules?.find(tag.names);
  if (rule === 'keep inner' || rule === 'drop') {
    notes.tags.add(`the tag ${tag.label} was ${rule === 'drop' ? 'dropped' : 'taken off'}, as --shortcodes says`);
    return rule === 'drop' ? '' : inner;
  }
  if (rule !== undefined) return apart(fillTemplate(inPlace(rule.text, standing), filled), standing, end, context);
  // Hugo brings it along; sites had it under the same name before.
  if (inner !== '' && (generator === undefined || generator === 'hugo') && tag.pair === 'hugo comment') {
    notes.tags.add(`what the tag ${tag.label} encloses is shown to nobody there and was left out`);
    return '';
  }
  const addressOf = (name: string) => context.addresses.get(name) ?? null;
  const known = renderKnownTag(tag, filled, { addressOf, valueOf });
  if (known === null) return null;
  if (isLinkAlone(tag)) notes.tags.add(`what the tag ${tag.label} showed is a link here`);
  return apart(inPlace(known, standing), standing, end, context);
}

/** HTML that stands alone in its line, with an empty line between it and the next one, which would be read as HTML as well. */
function apart(
  written: string,
  { text, construct, place }: Standing,
  end: number,
  { isHtml }: LeftoverContext,
): string {
  if (isHtml === true || !blockOfHtml.test(written)) return written;
  const before = text.slice(text.lastIndexOf('\n', construct.start - 1) + 1, construct.start);
  const isAlone =
    /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(before) &&
    /^[ \t]*\n[ \t>]*[^\s>]/.test(text.slice(end, end + 200));
  if (!isAlone) return written;
  return `${written}\n${place?.isNested === true ? prefixOf(text, construct.start).trimEnd() : ''}`;
}

/** Enclosed lines of Markdown, with an empty line around them, as they would be read as HTML within HTML. */
function asBlock(inner: string, { place }: Standing, { isHtml }: LeftoverContext): string {
  if (isHtml === true || place?.isNested === true || !inner.trim().includes('\n')) return inner;
  return `\n\n${inner.replace(/^\s*\n|\s+$/g, '')}\n\n`;
}

/** Lines with the marks of the list or the quotation that they are in. */
function inPlace(written: string, { text, construct, place }: Standing): string {
  const prefix = place?.isNested === true ? prefixOf(text, construct.start) : '';
  return prefix === '' ? written : written.replaceAll('\n', `\n${prefix}`);
}

/** One alone in its line, at the beginning of an item, or right behind what it is about; `{:ok, x}` in a sentence is none. */
function isAttributeList({ construct, written, text }: Standing): boolean {
  if (!attributeList.test(written)) return false;
  if (/^\{:[:/]/.test(written)) return true;
  const lineStart = text.lastIndexOf('\n', construct.start - 1) + 1;
  const before = text.slice(Math.max(lineStart, construct.start - 200), construct.start);
  if (/^#{1,6} /.test(before)) return true;
  return /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$|[)\]*_`>}]$/.test(before);
}

/** Keeps the id of an attribute list, which links may name, for the heading that it belongs to. */
function toPlace({ written, text, construct }: Standing, warnings: Set<string>): string {
  const id = /[\s:]#([\w-]{1,100})/.exec(written)?.[1];
  if (id === undefined || !/^\{:\s{0,20}#[\w-]{1,100}\s{0,20}\}$/.test(written)) {
    warnings.add(`an attribute list was removed: ${written}`);
  }
  if (id === undefined) return '';
  const lineStart = text.lastIndexOf('\n', construct.start - 1) + 1;
  return /^#{1,6} /.test(text.slice(lineStart, construct.start)) ? `{#${id}}` : `<a class="${ABOVE}" id="${id}"></a>`;
}

/** Code of a `highlight` tag as a fence, with the marks of the list or the quotation that it is in. */
function toFence({ construct, text, place }: Standing): string {
  const { inside = '', words = '' } = construct;
  const prefix = place?.isNested === true ? prefixOf(text, construct.start) : '';
  const code = withoutPrefix(inside.replace(/^\n+|\n[ \t\n]*$/g, ''), prefix);
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const language = /^\s*"?([\w+#.-]{1,30})/.exec(words)?.[1] ?? '';
  const title = /\stitle="[^"`\n]{1,200}"/.exec(words)?.[0] ?? '';
  if (prefix === '') return `\n${fence}${language}${title}\n${code}\n${fence}\n`;
  const lines = [...code.split('\n'), fence].map((line) => prefix + line);
  const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(construct.end, construct.end + 200));
  return `${fence}${language}${title}\n${lines.join('\n')}${isLast ? '' : `\n${prefix}`}`;
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
