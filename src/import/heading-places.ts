import { readTokens } from '../posts/content/html-tokens.js';
import { linkHeadings } from '../posts/content/link-headings.js';
import { toPlainText } from '../posts/content/plain-text.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { decodeEscapes } from '../shared/decode-escapes.js';
import { hasAnchor } from '../shared/heading-anchors.js';
import { escapeHtml, unescapeHtml } from './html-text.js';

const heading = /<h([1-6])(?=[\s>])[^<>]*>.*?<\/h\1\s*>/gis;
const linkedHeading = /<h[2-6] id="([^"]*)"[^>]*>(.*?)<\/h[2-6]>/gs;
const placeLink = /(<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?href\s*=\s*)(?:"([^"#]*)#([^"]*)"|'([^'#]*)#([^']*)')/gi;
/** Elements that are seen without a word in them. */
const seen = /^(?:img|iframe|video|audio|hr|svg|input)$/;
/** The class of an empty element whose id belongs to the heading above it. */
export const ABOVE = 'heading-above';
const MAX_NAMED = 5;

/** The headings of a text that comes from elsewhere: what links called them there, and the ids that our pages give them. */
export class HeadingPlaces {
  private constructor(
    /** Ids here by those that the source wrote down. */
    private readonly written: ReadonlyMap<string, string>,
    private readonly here: ReadonlySet<string>,
    /** Ids here by what is left of them without signs: generators differ in those. */
    private readonly loose: ReadonlyMap<string, string>,
  ) {}

  /** @param html the text as its source has it, with ids, not sanitized */
  static read(html: string): HeadingPlaces {
    const sources = readWritten(html);
    const linked = linkHeadings(sanitizeContent((html.match(heading) ?? []).join(''))).html;
    const given = [...linked.matchAll(linkedHeading)].map(([, id = '', inner = '']) => ({
      id: unescapeHtml(id),
      words: toPlainText(inner),
      // The id follows from the formula as it is drawn, and from no word of a footnote.
      isSure: !/ql-(?:formula|footnote)/.test(inner),
    }));
    const written = new Map<string, string>();
    const loose = new Map<string, string>();
    const addLoose = (key: string, id: string) => void (key === '' || loose.has(key) || loose.set(key, id));
    let at = 0;
    for (const { words, ids } of sources) {
      const index = given.findIndex((other, place) => place >= at && other.words === words);
      const place = given[index];
      if (place === undefined) continue;
      at = index + 1;
      if (!place.isSure) continue;
      for (const id of ids) if (!written.has(id)) written.set(id, place.id);
    }
    const sure = given.filter(({ isSure }) => isSure);
    for (const { id } of sure) addLoose(loosen(id), id);
    for (const { id, words } of sure) {
      addLoose(loosen(words), id);
      addLoose(withoutNumber(loosen(words)), id);
    }
    return new HeadingPlaces(written, new Set(sure.map(({ id }) => id)), loose);
  }

  /** The id here of the place that the end of an address names; null where no heading is meant. */
  find(fragment: string): string | null {
    const name = decodeEscapes(fragment);
    const given = this.written.get(name);
    if (given !== undefined) return given;
    if (this.here.has(name)) return name;
    const key = loosen(name);
    return this.loose.get(key) ?? this.loose.get(withoutNumber(key)) ?? null;
  }

  /** Ids that the source wrote down, and that are others here, each with its own here. */
  moved(): ReadonlyMap<string, string> {
    return new Map([...this.written].filter(([there, here]) => there !== here));
  }
}

/**
 * Leads links to headings of the text itself to the ids that these have here, and says what outer links lose.
 * @returns the text, the same one where nothing is to be changed
 */
export function leadPlacesOn(html: string, warnings: string[]): string {
  // Without a written id and a link to a place there is nothing to lead on, and reading headings takes long.
  if (!/[\s"'/](?:id|name)\s*=|href\s*=\s*["']\s*#/i.test(html)) return html;
  const places = HeadingPlaces.read(html);
  const missing = new Set<string>();
  const text = replaceFragments(html, (path, fragment) => {
    if (path !== '') return null;
    const found = places.find(fragment);
    if (found === null && !hasAnchor(new Set(), fragment)) missing.add(`#${fragment}`);
    return found;
  });
  const moved = [...places.moved()].map(([there, here]) => `#${there} is #${here}`);
  if (moved.length > 0) {
    warnings.push(
      `headings have other ids here, so links of other sites to them lead to the top of the post: ${nameSome(moved)}`,
    );
  }
  if (missing.size > 0)
    warnings.push(`links to places of the text that no heading is called by: ${nameSome([...missing])}`);
  return text;
}

/** Leads links to headings of other posts on; `find` says what a heading of the post with this slug is called here. */
export function leadOuterPlacesOn(html: string, find: (slug: string, fragment: string) => string | null): string {
  return replaceFragments(html, (path, fragment) => {
    const slug = slugOfPath(path);
    return slug === null ? null : find(slug, fragment);
  });
}

/** The ids that a text gives its headings, and that are others here; null where there are none. */
export function findMoved(html: string): ReadonlyMap<string, string> | null {
  if (!/<(?:h[1-6]|a)\s[^<>]*?(?:id|name)\s*=/i.test(html)) return null;
  // A part of a long text keeps all of that text in memory; a copy of it does not.
  const moved = [...HeadingPlaces.read(html).moved()].map((pair) => pair.map((id) => Buffer.from(id).toString()));
  return moved.length === 0 ? null : new Map(moved.map(([there = '', here = '']) => [there, here]));
}

/** The slugs of posts here to whose headings a text leads. */
export function slugsOfPlaces(html: string): ReadonlySet<string> {
  const slugs = new Set<string>();
  if (!html.includes('/blogs/')) return slugs;
  replaceFragments(html, (path) => {
    const slug = slugOfPath(path);
    if (slug !== null) slugs.add(slug);
    return null;
  });
  return slugs;
}

function slugOfPath(path: string): string | null {
  return /^\/blogs\/([^/?#]+)$/.exec(path)?.[1] ?? null;
}

function replaceFragments(html: string, find: (path: string, fragment: string) => string | null): string {
  return html.replace(
    placeLink,
    (all, before: string, path?: string, name?: string, otherPath?: string, otherName?: string) => {
      const address = unescapeHtml(path ?? otherPath ?? '').trim();
      const fragment = unescapeHtml(name ?? otherName ?? '').trim();
      const found = fragment === '' ? null : find(address, fragment);
      return found === null || found === fragment || found === decodeEscapes(fragment)
        ? all
        : `${before}"${escapeHtml(`${address}#${found}`)}"`;
    },
  );
}

interface WrittenHeading {
  words: string;
  readonly ids: string[];
}

/**
 * The headings of a text with all ids that lead to them: their own, those in them, those of what stands right before them, and
 * those of places in the text below them, which have no name here.
 */
function readWritten(html: string): WrittenHeading[] {
  const headings: WrittenHeading[] = [];
  let current: WrittenHeading | null = null;
  let inside = '';
  let pending: string[] = [];
  const settle = () => {
    headings.at(-1)?.ids.push(...pending);
    pending = [];
  };
  readTokens(html, {
    open(tag, attributes) {
      const ids = [attributes.get('id'), tag === 'a' ? attributes.get('name') : undefined];
      const given = ids.flatMap((id) => (id === undefined || id.trim() === '' ? [] : [id.trim()]));
      if (/^h[1-6]$/.test(tag)) {
        current = { words: '', ids: [...given, ...pending] };
        pending = [];
        inside = '';
        return;
      }
      if (current !== null) current.ids.push(...given);
      else if (attributes.get('class') === ABOVE) headings.at(-1)?.ids.push(...given);
      else {
        if (seen.test(tag)) settle();
        pending.push(...given);
      }
      if (current !== null) inside += `<${tag}${classOf(attributes)}>`;
    },
    close(tag) {
      if (current === null) return;
      if (!/^h[1-6]$/.test(tag)) {
        inside += `</${tag}>`;
        return;
      }
      current.words = toPlainText(sanitizeContent(`<h2>${inside}</h2>`));
      headings.push(current);
      current = null;
    },
    text(text) {
      if (current !== null) inside += escapeHtml(text);
      else if (text.trim() !== '') settle();
    },
  });
  settle();
  return headings;
}

function classOf(attributes: ReadonlyMap<string, string>): string {
  const name = attributes.get('class');
  return name === undefined ? '' : ` class="${escapeHtml(name)}"`;
}

/** Letters and digits alone, in small letters, without accents. */
function loosen(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Some generators begin with the first letter. */
function withoutNumber(name: string): string {
  return name.replace(/^\p{N}+/u, '');
}

function nameSome(names: readonly string[]): string {
  const some = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${some} and ${names.length - MAX_NAMED} more` : some;
}
