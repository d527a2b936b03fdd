import { readTokens } from './html-tokens.js';
import { BLANK_ADDRESS, toLinkAddress } from './safe-address.js';

type Written = ReadonlyMap<string, string>;

/** Elements whose text nobody sees, in a browser that runs scripts and plays what the element embeds. */
const unseen: ReadonlySet<string> = new Set(
  'script style template noscript title datalist iframe object applet audio video canvas noembed noframes'.split(' '),
);
/** Elements that go without a trace and without a loss: parts of others, or places where a line may break. */
const traceless: ReadonlySet<string> = new Set('wbr col colgroup param source picture head link meta'.split(' '));
/** Elements without text of their own: without them something is missing. */
const embedding: ReadonlySet<string> = new Set(['embed', 'area', 'frame', 'base', 'bgsound']);
/** Markup in code that says something; what colors code says nothing. */
const emphasis: ReadonlySet<string> = new Set('a b strong i em u s del ins mark sub sup'.split(' '));
/** Properties that the style of an element may keep (attribute-rules.ts). */
const keptStyles: ReadonlySet<string> = new Set(['color', 'background-color', 'text-align']);
const MAX_NAMES = 12;
const MAX_QUOTED = 60;

/**
 * Notes what the sanitizer takes out of a text, so that whoever moves in can be told. What nobody would miss is not
 * noted: comments, classes, identifiers, and elements that only separate.
 */
export class RemovalLog {
  private readonly removed = new Map<string, { count: number; readonly details: Set<string> }>();
  private readonly unwrapped = new Map<string, number>();
  private readonly inCode = new Map<string, number>();
  private readonly styles = new Set<string>();
  private readonly lost = new Map<string, string>();
  private kept = '';
  private isTextEqual = true;

  /** An element that went with everything in it. */
  addElement(tag: string, attributes: Written): void {
    if (!traceless.has(tag)) this.count(`<${tag}>`, describeSource(attributes));
  }

  /** An element that went while what it holds stays. */
  addUnwrapped(tag: string, attributes: Written): void {
    if (embedding.has(tag)) this.addElement(tag, attributes);
    else if (!traceless.has(tag)) this.unwrapped.set(tag, (this.unwrapped.get(tag) ?? 0) + 1);
  }

  /** An element in code, which is text alone. */
  addInCode(tag: string): void {
    if (emphasis.has(tag)) this.inCode.set(tag, (this.inCode.get(tag) ?? 0) + 1);
  }

  /** Notes the attributes with which an element that stays was written. */
  addAttributes(tag: string, attributes: Written): void {
    for (const [name, value] of attributes) {
      if (/^on[a-z]+$/.test(name)) this.count(`${name} on <${tag}>`, '');
      else if (name === 'style') this.addStyles(value);
      else if (name === 'href' && tag === 'a' && toLinkAddress(value) === BLANK_ADDRESS) {
        this.count('address of a link', /^[^:]{0,20}:/.exec(value.trim())?.[0] ?? '');
      }
    }
  }

  /** Text in an element that goes with everything in it. */
  addLostText(tag: string, text: string): void {
    if (!unseen.has(tag)) this.lost.set(tag, (this.lost.get(tag) ?? '') + text);
  }

  addKeptText(text: string): void {
    this.kept += text;
  }

  /** Compares what is there in the end with what was to be kept. */
  check(clean: string): void {
    let text = '';
    readTokens(clean, { open: () => undefined, close: () => undefined, text: (part) => void (text += part) });
    this.isTextEqual = withoutBlanks(text) === withoutBlanks(this.kept);
  }

  /** A few lines for people; none when nothing was taken out. */
  describe(): string[] {
    const removed = [...this.removed].map(([name, { count, details }]) => {
      const list = [...details].slice(0, 3).join(', ');
      return `${count} x ${name}${list === '' ? '' : ` (${list}${details.size > 3 ? ', ...' : ''})`}`;
    });
    const lost = [...this.lost].filter(([, text]) => text.trim() !== '');
    const unwrapped = [...this.unwrapped].map(([tag, count]) => `${count} x <${tag}>`);
    const inCode = [...this.inCode].map(([tag, count]) => `${count} x <${tag}>`);
    return [
      ...(removed.length > 0 ? [`removed: ${join(removed)}`] : []),
      ...lost.map(([tag, text]) => `text was removed with <${tag}>: ${quote(text)}`),
      ...(unwrapped.length > 0 ? [`markup was taken off, its text stays: ${join(unwrapped)}`] : []),
      ...(inCode.length > 0 ? [`markup in code was taken off, its text stays: ${join(inCode)}`] : []),
      ...(this.styles.size > 0 ? [`styles were taken off: ${join([...this.styles].sort())}`] : []),
      ...(this.isTextEqual ? [] : ['the text is not the same as in the source; compare them']),
    ];
  }

  private addStyles(style: string): void {
    for (const declaration of style.split(';').slice(0, 50)) {
      const name = declaration.slice(0, Math.max(0, declaration.indexOf(':'))).trim();
      if (/^[a-z-]{1,40}$/i.test(name) && !keptStyles.has(name.toLowerCase())) this.styles.add(name.toLowerCase());
    }
  }

  private count(name: string, detail: string): void {
    const entry = this.removed.get(name) ?? { count: 0, details: new Set() };
    entry.count += 1;
    if (detail !== '' && entry.details.size < 4) entry.details.add(detail);
    this.removed.set(name, entry);
  }
}

/** Describes the origin of an embedded element. */
function describeSource(attributes: Written): string {
  const address = (attributes.get('src') ?? attributes.get('data') ?? '').trim();
  if (address === '') return '';
  const base = 'https://here.invalid/';
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return address.slice(0, address.indexOf(':') + 1).slice(0, 20);
  return url.origin === new URL(base).origin ? address.slice(0, MAX_QUOTED) : url.host;
}

function join(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const shown = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}...` : line;
  return `'${shown}' (${line.length} characters)`;
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
