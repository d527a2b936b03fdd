import { parseHtml } from '../../../../lib/parse-html.js';
import { canonicalColor } from './color.js';
import { readImage } from './read-inline.js';

const blockTags: ReadonlySet<string> = new Set(
  (
    'P H1 H2 H3 H4 H5 H6 BLOCKQUOTE UL OL LI DL DT DD TABLE CAPTION THEAD TBODY TFOOT TR TD TH FIGURE FIGCAPTION PRE HR ' +
    'IFRAME AUDIO VIDEO DIV DETAILS SUMMARY'
  ).split(' '),
);
const textTags: ReadonlySet<string> = new Set('P H1 H2 H3 H4 H5 H6 DT CAPTION SUMMARY'.split(' '));

/**
 * Describes the meaning of sanitized HTML, independent of its spelling: two texts with the same description look and
 * read the same. The editor checks with it that it understood a block, so it shares no code with the reader and writer
 * of blocks.
 */
export function describeHtml(html: string): string {
  return JSON.stringify(describeFlow(parseHtml(html)));
}

/** Blocks, and loose text as the paragraphs that it looks like. */
function describeFlow(parent: Node): unknown[] {
  const results: unknown[] = [];
  let loose: Node[] = [];
  const endParagraph = () => {
    const text = describeText(loose);
    if (text.length > 0) results.push(['P', [], text]);
    loose = [];
  };
  for (const node of parent.childNodes) {
    if (node instanceof Element && blockTags.has(node.tagName)) {
      endParagraph();
      results.push(describeBlock(node));
    } else {
      loose.push(node);
    }
  }
  endParagraph();
  return results;
}

function describeBlock(element: Element): unknown {
  const { tagName } = element;
  if (tagName === 'PRE') return ['PRE', element.firstElementChild?.className ?? '', element.textContent];
  const inside = textTags.has(tagName) ? describeText([...element.childNodes]) : describeFlow(element);
  return [tagName, describeAttributes(element), inside];
}

function describeAttributes(element: Element): string[] {
  return [...element.attributes]
    .map(({ name, value }) => `${name}=${name === 'class' ? value.split(' ').sort().join(' ') : value}`)
    .sort();
}

type Run = [content: unknown, formats: string];

/** Runs of text with all that applies to them, blanks as they are shown. */
function describeText(nodes: readonly Node[]): Run[] {
  const runs: Run[] = [];
  for (const node of nodes) collect(node, new Map(), runs);
  return tidyBlanks(runs);
}

function collect(node: Node, formats: ReadonlyMap<string, string>, runs: Run[]): void {
  if (node.nodeType === Node.TEXT_NODE) {
    runs.push([node.nodeValue ?? '', writeFormats(formats)]);
  } else if (node instanceof Element) {
    const content = describeObject(node);
    if (content !== null) runs.push([content, node.tagName === 'BR' ? '' : writeFormats(formats)]);
    else for (const child of node.childNodes) collect(child, withElement(formats, node), runs);
  }
}

function describeObject(element: Element): unknown {
  if (element.tagName === 'BR') return { br: true };
  if (element.tagName === 'IMG') return { ...readImage(element) };
  if (element.tagName === 'IFRAME') return { iframe: describeAttributes(element) };
  if (/^(?:AUDIO|VIDEO)$/.test(element.tagName)) return { player: element.outerHTML };
  if (element.matches('span.ql-footnote')) return { footnote: element.innerHTML };
  return element.matches('.ql-formula') ? { formula: element.getAttribute('data-value') } : null;
}

/** Returns the inherited formats with those of this element: of two colors the inner one is seen. */
function withElement(formats: ReadonlyMap<string, string>, element: Element): Map<string, string> {
  const inner = new Map(formats);
  const names = ['href', 'title', 'target'].map((name) => element.getAttribute(name) ?? '');
  if (element.tagName !== 'SPAN') inner.set(element.tagName, names.join('\n'));
  for (const name of element.classList) inner.set(name.replace(/-[^-]*$/, ''), name);
  const { style } = element as HTMLElement;
  for (const name of ['color', 'background-color']) {
    const color = canonicalColor(style.getPropertyValue(name));
    if (color !== '') inner.set(name, color);
  }
  return inner;
}

function writeFormats(formats: ReadonlyMap<string, string>): string {
  return JSON.stringify([...formats].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A blank between two texts belongs to the first one, whichever of them it was written in. */
function addText(runs: Run[], text: string, formats: string): void {
  const last = runs.at(-1);
  const isAfterText = typeof last?.[0] === 'string';
  if (text.startsWith(' ') && last !== undefined && isAfterText) last[0] = `${String(last[0])} `;
  else if (text.startsWith(' ')) runs.push([' ', '']);
  const rest = text.replace(/^ /, '');
  const end = runs.at(-1);
  if (rest === '') return;
  if (typeof end?.[0] === 'string' && end[1] === formats) end[0] += rest;
  else runs.push([rest, formats]);
}

function tidyBlanks(runs: readonly Run[]): Run[] {
  const results: Run[] = [];
  let isAfterBlank = true;
  const endLine = () => {
    const last = results.at(-1);
    if (typeof last?.[0] !== 'string') return;
    last[0] = last[0].replace(/ $/, '');
    if (last[0] === '') results.pop();
  };
  for (const [content, formats] of runs) {
    if (typeof content !== 'string') {
      const isBreak = typeof content === 'object' && content !== null && 'br' in content;
      if (isBreak) endLine();
      results.push([content, formats]);
      isAfterBlank = isBreak;
      continue;
    }
    const shown = content.replace(/[ \t\n\f\r]+/g, ' ').replace(isAfterBlank ? /^ / : /^$/, '');
    if (shown === '') continue;
    isAfterBlank = shown.endsWith(' ');
    addText(results, shown, formats);
  }
  endLine();
  const isBreakAlone = results.length === 1 && JSON.stringify(results[0]?.[0]) === '{"br":true}';
  return isBreakAlone ? [] : results;
}
