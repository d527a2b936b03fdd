import sax from 'sax';
import { RefusedError } from './import.errors.js';

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
/** Entities that nobody declared stay as they are written. */
const UNKNOWN_ENTITY = /^Invalid character entity/;

/**
 * Reads a piece of XML that is in memory. Entities are those that HTML knows; a loose `&` stays as it is.
 * @param isWhole false for the head of a file, whose elements are still open at its end
 * @throws RefusedError when it is not well-formed, or nested beyond measure
 */
export function readXml(text: string, isWhole: boolean): XmlElement {
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
  parser.onclosetag = () => void closeElement(open);
  parser.ontext = parser.oncdata = (part) => void open.at(-1)?.texts.push(part);
  parse(parser, escapeLooseSigns(text));
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

function escapeLooseSigns(text: string): string {
  if (!text.includes('&')) return text;
  let escaped = '';
  for (let at = 0; at < text.length;) {
    const start = indexOrEnd(text, '<![CDATA[', at);
    const end = indexOrEnd(text, ']]>', start);
    escaped += text.slice(at, start).replace(LOOSE_SIGN, '&amp;') + text.slice(start, end);
    at = end;
  }
  return escaped;
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index < 0 ? text.length : index;
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
  return { name, attributes, text: texts.join('').replace(/\r\n?/g, '\n'), children };
}
