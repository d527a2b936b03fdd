import { escapeHtml } from '../html-text.js';
import { renderKnownTag } from './known-tags.js';

/** A tag of JSX in a text. */
interface JsxTag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly isEmpty: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of attributes whose values nobody but the generator knows. */
  readonly unknown: readonly string[];
  /** True if anything in it is written otherwise in HTML. */
  readonly isForeign: boolean;
  readonly end: number;
}

/** The tags of a text, written as HTML, and what was left out. */
export interface WrittenTags {
  readonly text: string;
  readonly components: readonly string[];
  /** Words that components are given as attributes, and that nothing shows here: `Card description "..."`. */
  readonly words: readonly string[];
  /** Names of attributes. */
  readonly unknown: readonly string[];
}

const MAX_LENGTH = 5000;
const nameStart = /^<(\/?)(?:([A-Za-z][\w.:-]{0,100})(?=[\s/>])|(?=>))/;
const attributeName = /^[A-Za-z_@:][\w.:@-]{0,100}/;
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that enclose paragraphs: Markdown in lines of their own is read in them. */
const blocks =
  /^(?:article|aside|blockquote|center|details|div|fieldset|figcaption|figure|footer|header|main|nav|section)$/;
/** Names of HTML for those of React. */
const renamed: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for', srcSet: 'srcset' };
/** Attributes that say what a component shows, by the names that tags of generators have for them. */
const meanings: Readonly<Record<string, string>> = {
  videoid: 'id',
  youtubeid: 'id',
  tweetid: 'id',
  label: 'caption',
  href: 'link',
  tweetlink: 'id',
};
const shown = /^(?:src|url|id|alt|caption|link|poster|user|username)$/;
/** Attributes that readers see in all likelihood, whatever the component makes of them. */
const readable =
  /^(?:title|label|caption|alt|heading|subtitle|summary|description|text|content|message|quote|question|answer|author|cite|aria-label)$/i;
/** Attributes of several words that are none of a language. */
const technical =
  /^(?:class|classname|style|sizes|srcset|rel|sandbox|allow|d|font.*|transition.*|.*:.*|.*class(?:name)?)$/i;
/** Components whose title is that of the page. */
const frame = /(?:layout|page|head|header|seo|meta|helmet|wrapper)$/i;
const MAX_WORDS = 80;

/**
 * Writes the tags of JSX as HTML: components that show pictures or films as these, others as their title alone, so that what they enclose
 * stays below it; elements with the attributes whose values are known. What stands alone in its line encloses Markdown.
 * @param pictures paths of imported pictures, by their names
 */
export function writeJsx(text: string, pictures: ReadonlyMap<string, string>): WrittenTags {
  const components = new Set<string>();
  const words = new Set<string>();
  const unknown = new Set<string>();
  let written = '';
  let at = 0;
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', Math.max(at, start + 1))) {
    if (start < at) continue;
    const tag = readJsxTag(text, start, pictures);
    if (tag === null) continue;
    const isBlock = isAlone(text, start, tag.end) && isOfBlock(tag);
    const html = toHtml(tag, isBlock, { components, words, unknown });
    if (html === null) continue;
    written += text.slice(at, start) + (isBlock ? `\n\n${html}\n\n` : html);
    at = tag.end;
  }
  return { text: written + text.slice(at), components: [...components], words: [...words], unknown: [...unknown] };
}

interface Left {
  readonly components: Set<string>;
  readonly words: Set<string>;
  readonly unknown: Set<string>;
}

/** Null for one that is HTML as it is. */
function toHtml(tag: JsxTag, isBlock: boolean, { components, words, unknown }: Left): string | null {
  const { name, isClosing, attributes } = tag;
  if (name === '') return '';
  if (!/^[a-z]/.test(name) || name.includes('.')) {
    if (isClosing) return '';
    const found = renderComponent(tag);
    const title = found === null && isBlock ? renderTitle(tag) : null;
    const isShown = (key: string) => {
      return found === null
        ? title !== null && /^(?:title|label)$/.test(key)
        : shown.test(meanings[key.toLowerCase()] ?? key);
    };
    for (const [key, value] of attributes) {
      if (isShown(key) || !hasWords(key, value)) continue;
      const line = value.replace(/\s+/g, ' ').trim();
      words.add(`${name} ${key} "${line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}...` : line}"`);
    }
    for (const key of tag.unknown) if (readable.test(key)) unknown.add(key);
    if (found !== null) return found;
    components.add(name);
    return title ?? '';
  }
  const isOpenInHtml = tag.isEmpty && !voids.has(name);
  if (!tag.isForeign && !isOpenInHtml && !(blocks.test(name) && !tag.isEmpty)) return null;
  if (isClosing) return `</${name}>`;
  for (const one of tag.unknown) unknown.add(one);
  const list = [...attributes].map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`).join('');
  return `<${name}${list}>${isOpenInHtml ? `</${name}>` : ''}`;
}

/** A component as what it shows by its name; null for any other. */
function renderComponent({ name, attributes }: JsxTag): string | null {
  const known = name.toLowerCase().replace(/^(?:lite|astro)?(youtube|vimeo|tweet|gist)(?:embed)?$/, '$1');
  const meant = [...attributes].map(([key, value]) => [meanings[key.toLowerCase()] ?? key, value] as const);
  const names = /^(?:image|img|picture|figure|youtube|vimeo|tweet|gist)$/.test(known) ? [known] : [];
  const tag = { label: name, names, attributes: new Map(), values: [], isClosing: false, pair: '' };
  const values = { attributes: new Map(meant.filter(([key]) => shown.test(key))), values: [], inner: '' };
  return renderKnownTag(tag, values, { addressOf: () => null, valueOf: () => null });
}

/** The title of a tab, a card or a box, which leads where the whole card led; null where there is none. */
function renderTitle({ name, attributes }: JsxTag): string | null {
  const title = (attributes.get('title') ?? attributes.get('label') ?? '').replace(/\s+/g, ' ').trim();
  if (title === '' || frame.test(name)) return null;
  const address = attributes.get('href') ?? '';
  const isLink = /^(?:https?:\/\/|[/#]|\.\.?\/)\S{1,2000}$/.test(address);
  // Words of an attribute are no Markdown.
  const words = escapeHtml(title).replace(/[*_`~[\\]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const shownTitle = isLink ? `<a href="${escapeHtml(address)}">${words}</a>` : words;
  return `<p><strong>${shownTitle}</strong></p>`;
}

/** Returns true for an attribute with something to be read. */
function hasWords(key: string, value: string): boolean {
  if (readable.test(key)) return /\p{L}/u.test(value) && !/^(?:https?:\/\/|\/)\S*$/.test(value);
  return !technical.test(key) && /\p{L}{2,}[,.:;]?\s+\p{L}{2,}/u.test(value);
}

function isOfBlock({ name, isForeign }: JsxTag): boolean {
  return !/^[a-z]/.test(name) || blocks.test(name) || (isForeign && name === 'img');
}

/** Returns true for a tag with nothing beside it in its lines. */
function isAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return before.trim() === '' && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 200));
}

/** Null for what is no tag. */
function readJsxTag(text: string, start: number, pictures: ReadonlyMap<string, string>): JsxTag | null {
  const source = text.slice(start, start + MAX_LENGTH);
  const [head, slash = '', name = ''] = nameStart.exec(source) ?? [];
  if (head === undefined) return null;
  const attributes = new Map<string, string>();
  const unknown: string[] = [];
  let isForeign = name === '';
  let at = head.length;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = /^\s+/.exec(rest)?.[0].length ?? 0;
    if (space > 0) {
      at += space;
      continue;
    }
    const [ending] = /^\/?>/.exec(rest) ?? [];
    if (ending !== undefined) {
      const isEmpty = ending === '/>';
      return {
        name,
        isClosing: slash !== '',
        isEmpty,
        attributes,
        unknown,
        isForeign,
        end: start + at + ending.length,
      };
    }
    if (rest.startsWith('{')) {
      const length = lengthOfBraces(rest);
      if (length === 0) return null;
      isForeign = true;
      at += length;
      continue;
    }
    const [key] = attributeName.exec(rest) ?? [];
    if (key === undefined) return null;
    at += key.length;
    const found = readValue(source.slice(at), pictures);
    if (found === null) return null;
    at += found.length;
    const own = renamed[key] ?? key;
    if (own !== key || found.isExpression || key.includes(':')) isForeign = true;
    if (found.value === undefined) unknown.push(key);
    else if (!attributes.has(own)) attributes.set(own, found.value);
  }
  return null;
}

interface Value {
  /** Undefined where only the generator knows it. */
  readonly value: string | undefined;
  readonly isExpression: boolean;
  readonly length: number;
}

/** The value behind the name of an attribute, empty where there is none; null where it never ends. */
function readValue(rest: string, pictures: ReadonlyMap<string, string>): Value | null {
  if (!rest.startsWith('=')) return { value: '', isExpression: false, length: 0 };
  const [text, double, single] = /^=(?:"([^"]*)"|'([^']*)')/.exec(rest) ?? [];
  if (text !== undefined) return { value: double ?? single ?? '', isExpression: false, length: text.length };
  const length = lengthOfBraces(rest.slice(1));
  if (length === 0) {
    const [plain] = /^=[^\s"'<>={}]+/.exec(rest) ?? [];
    return plain === undefined ? null : { value: plain.slice(1), isExpression: false, length: plain.length };
  }
  return { value: valueOf(rest.slice(2, length).trim(), pictures), isExpression: true, length: length + 1 };
}

function valueOf(expression: string, pictures: ReadonlyMap<string, string>): string | undefined {
  const [, double, single, tick] = /^(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)$/.exec(expression) ?? [];
  if (/^-?\d+(?:\.\d+)?$/.test(expression)) return expression;
  const [, required] = /^require\(["']([^"']+)["']\)(?:\.default)?$/.exec(expression) ?? [];
  return double ?? single ?? tick ?? required ?? pictures.get(expression.replace(/\.(?:src|default)$/, ''));
}

/** How long the braces are with which a text begins, with those in them; 0 if they never end. */
function lengthOfBraces(text: string): number {
  if (!text.startsWith('{')) return 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (/["'`]/.test(letter)) {
      const end = text.indexOf(letter, at + 1);
      if (end < 0) return 0;
      at = end;
    }
  }
  return 0;
}
