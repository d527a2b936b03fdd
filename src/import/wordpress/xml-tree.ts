import sax from 'sax';
import { indexOrEnd } from '../html-text.js';
import { RefusedError } from '../import.errors.js';

/** An element with what is in it; names are as written, prefix included. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Its own text, without that of elements inside it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly texts: string[];
  readonly children: XmlElement[];
}

/** Far more than exports have; whoever nests deeper means harm. */
const MAX_DEPTH = 50;
const MAX_ELEMENTS = 200_000;
const MAX_ATTRIBUTES = 50;
const MAX_ATTRIBUTE_LENGTH = 64 * 1024;

/** An `&` that begins no entity: other programs leave them in addresses. */
const LOOSE_SIGN = /&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi;
const DATA_START = '<![CDATA[';
const DATA_END = ']]>';
/** Around the number of a text that was taken out; no XML may have this sign. */
const MARK = '\u0001';
const marked = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');
/** Entities that nobody declared stay as they are written. */
const UNKNOWN_ENTITY = /^Invalid character entity/;

/**
 * Reads a piece of XML that is in memory. Entities are those that HTML knows; a loose `&` stays as it is.
 * @param isWhole false for the head of a file, whose elements are still open at its end
 * @throws RefusedError when it is not well-formed, or nested beyond measure
 */
export function readXml(text: string, isWhole: boolean): XmlElement {
  const { markup, data } = withoutData(text);
  const root: OpenElement = { name: '', attributes: new Map(), texts: [], children: [] };
  const open: OpenElement[] = [root];
  let count = 0;
  const parser = createParser();
  parser.onopentag = ({ name, attributes }) => {
    count += 1;
    if (open.length > MAX_DEPTH) throw new RefusedError(['its elements are nested more than 50 deep']);
    if (count > MAX_ELEMENTS) throw new RefusedError(['it has more than 200,000 elements']);
    open.push({ name, attributes: readAttributes(attributes), texts: [], children: [] });
  };
  parser.onclosetag = () => closeElement(open);
  parser.ontext = (part) => void open.at(-1)?.texts.push(putBack(part, data));
  parse(parser, markup);
  if (isWhole && open.length > 1) throw new RefusedError([`<${open.at(-1)?.name ?? ''}> is never closed`]);
  while (open.length > 1) closeElement(open);
  return toElement(root);
}

/** The first child of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** The trimmed text of the first child of that name; empty when there is none. */
export function textOf(element: XmlElement, name: string): string {
  return childOf(element, name)?.text.trim() ?? '';
}

function createParser(): sax.SAXParser {
  const parser = sax.parser(true, { position: false });
  let attributes = 0;
  parser.onopentagstart = () => void (attributes = 0);
  parser.onattribute = ({ value }) => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new RefusedError(['one of its elements has more than 50 attributes']);
    if (value.length > MAX_ATTRIBUTE_LENGTH) throw new RefusedError(['one of its attributes is larger than 64 kB']);
  };
  parser.onerror = (error) => {
    const reason = (error.message.split('\n')[0] ?? '').replace(/\.$/, '');
    if (!UNKNOWN_ENTITY.test(reason)) throw new RefusedError([`it is not well-formed XML: ${reason}`]);
    Object.assign(parser, { error: null });
  };
  return parser;
}

/**
 * Takes the long texts out before the library goes through them sign by sign, and puts `&` right where it is loose.
 */
function withoutData(text: string): { readonly markup: string; readonly data: string[] } {
  const data: string[] = [];
  let markup = '';
  for (let at = 0; at < text.length;) {
    const start = indexOrEnd(text, DATA_START, at);
    const end = indexOrEnd(text, DATA_END, start);
    markup += text.slice(at, start).replaceAll(MARK, '').replace(LOOSE_SIGN, '&amp;');
    if (start < text.length) markup += MARK + String(data.push(text.slice(start + DATA_START.length, end)) - 1) + MARK;
    at = end + DATA_END.length;
  }
  return { markup, data };
}

function putBack(text: string, data: readonly string[]): string {
  return text.includes(MARK) ? text.replace(marked, (_mark, index: string) => data[Number(index)] ?? '') : text;
}

function parse(parser: sax.SAXParser, text: string): void {
  try {
    parser.write(text);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError([`it is not well-formed XML: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function readAttributes(attributes: object): Map<string, string> {
  return new Map(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
}

function closeElement(open: OpenElement[]): void {
  const element = open.pop();
  if (element !== undefined) open.at(-1)?.children.push(toElement(element));
}

function toElement({ name, attributes, texts, children }: OpenElement): XmlElement {
  return { name, attributes, text: withoutReturns(texts.length === 1 ? (texts[0] ?? '') : texts.join('')), children };
}

function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
