import { splitAtCode } from '../html-text.js';

/** Elements that stand between paragraphs, never in one. */
const blocks = new Set(
  (
    'address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr iframe li main nav noscript object ol p section summary table tbody td tfoot th ' +
    'thead tr ul video audio'
  ).split(' '),
);
/** Blocks in which text stands in paragraphs. */
const paragraphHolders = new Set(
  'article aside blockquote center details div fieldset footer form header main nav section'.split(' '),
);
/** Blocks in which there is no text, only other blocks. */
const structures = new Set('dl figure ol table tbody tfoot thead tr ul object iframe video audio'.split(' '));
/** Blocks in which text stands in paragraphs if there are several. */
const cells = new Set('li td th dd figcaption'.split(' '));

/** Those that may stand in a paragraph after all: to begin any other ends it. */
const embedded = new Set('iframe object noscript video audio'.split(' '));

const tagPattern = /<(\/?)([a-z][a-z0-9]*)(?=[\s>/])[^<>]*>/gi;
const blankLine = /\n[ \t\u00a0]*(?:\n[ \t\u00a0]*)+/;
const endsInBreak = /<br[ \t]*\/?>$/i;
/** Stands for a line break of code meanwhile; no text that was read from XML holds it. */
const CODE_BREAK = '\u0001';
/** Deeper than people write: each paragraph begins and ends all of them. */
const MAX_OPEN = 10;

/**
 * Writes down the paragraphs of a text that was typed into WordPress' first editor, which stores none: blank lines
 * separate paragraphs, single line breaks stay line breaks, and elements that are no text are left alone. Takes time
 * in proportion to the length.
 */
export function addParagraphs(html: string): string {
  const writer = new ParagraphWriter();
  for (const { text, isRaw } of splitAtCode(html)) {
    if (isRaw) writer.addRaw(text);
    else readBlocks(text, writer);
  }
  return writer.finish();
}

function readBlocks(written: string, writer: ParagraphWriter): void {
  const text = joinTags(written);
  let at = 0;
  for (const match of text.matchAll(tagPattern)) {
    const tag = (match[2] ?? '').toLowerCase();
    if (!blocks.has(tag)) continue;
    writer.addText(text.slice(at, match.index));
    writer.addTag(match[0], tag, match[1] === '/');
    at = match.index + match[0].length;
  }
  writer.addText(text.slice(at));
}

/** A line break in a tag is none of the text: a `<br>` there would break the tag. */
function joinTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>\n]*\n[^<>]*>/gi, (tag) => tag.replace(/\s+/g, ' '));
}

class ParagraphWriter {
  private readonly written: string[] = [];
  private readonly open: string[] = [];
  /** Text since the last block; code in it keeps its line breaks. */
  private run: { text: string; isRaw: boolean }[] = [];

  addText(text: string): void {
    if (text !== '') this.run.push({ text, isRaw: false });
  }

  /** Code in a line is a part of its paragraph, code in lines of its own stands between paragraphs. */
  addRaw(text: string): void {
    if (/^<(?:code|kbd|samp|svg)/i.test(text)) {
      this.run.push({ text, isRaw: true });
      return;
    }
    this.endRun();
    this.written.push(text);
  }

  addTag(written: string, tag: string, isClosing: boolean): void {
    this.endRun();
    if (!isClosing && this.open.at(-1) === 'p' && !embedded.has(tag)) {
      this.open.pop();
      this.written.push('</p>');
    }
    this.written.push(written);
    if (tag === 'hr' || written.endsWith('/>')) return;
    if (!isClosing) {
      if (this.open.length < 1000) this.open.push(tag);
      return;
    }
    const index = this.open.lastIndexOf(tag);
    if (index >= 0) this.open.length = index;
  }

  finish(): string {
    this.endRun();
    return this.written.join('');
  }

  private endRun(): void {
    const { run } = this;
    this.run = [];
    if (run.every(({ text }) => text.trim() === '')) {
      if (run.length > 0) this.written.push('\n');
      return;
    }
    const holder = this.open.at(-1);
    if (holder !== undefined && structures.has(holder)) {
      this.written.push(...run.map(({ text }) => text));
      return;
    }
    this.written.push(layOut(toParagraphs(run), holder));
  }
}

function layOut(paragraphs: readonly string[], holder: string | undefined): string {
  if (holder === 'p') return paragraphs.join('</p>\n<p>');
  const isWrapped = holder === undefined || paragraphHolders.has(holder);
  if (isWrapped || (paragraphs.length > 1 && cells.has(holder))) {
    return paragraphs.map((paragraph) => `<p>${paragraph}</p>\n`).join('');
  }
  return paragraphs.join('<br>\n');
}

interface Piece {
  readonly text: string;
  readonly isRaw: boolean;
}

function toParagraphs(run: readonly Piece[]): string[] {
  const paragraphs: Piece[][] = [[]];
  for (const { text, isRaw } of run) {
    const [first = '', ...others] = isRaw ? [text.replaceAll('\n', CODE_BREAK)] : text.split(blankLine);
    paragraphs.at(-1)?.push({ text: first, isRaw });
    for (const part of others) paragraphs.push([{ text: part, isRaw: false }]);
  }
  const texts = paragraphs.length === 1 ? paragraphs.map(join) : continueFormats(paragraphs);
  return texts.map((text) => breakLines(text.trim())).filter((paragraph) => paragraph !== '');
}

function join(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Elements that browsers go on with after the end of the paragraph that they are in. */
const formatTag = /<(\/?)(a|b|big|em|font|i|s|small|strike|strong|tt|u)(?=[\s>])[^<>]*>/gi;

/** Bold words, links and the like that go on after a blank line until they end are begun anew in each paragraph, as browsers show them. */
function continueFormats(paragraphs: readonly (readonly Piece[])[]): string[] {
  const found = paragraphs.map((pieces) =>
    pieces.flatMap(({ text, isRaw }) =>
      isRaw
        ? []
        : [...text.matchAll(formatTag)].map(([written, slash, name = '']) => ({
            written,
            name: name.toLowerCase(),
            isEnd: slash === '/',
          })),
    ),
  );
  const lastEnds = new Map<string, number>();
  for (const [index, tags] of found.entries()) {
    for (const { name, isEnd } of tags) if (isEnd) lastEnds.set(name, index);
  }
  let open: { readonly written: string; readonly name: string }[] = [];
  return paragraphs.map((pieces, index) => {
    const text = join(pieces);
    const before = open.map(({ written }) => written).join('');
    for (const tag of found[index] ?? []) {
      if (!tag.isEnd) open.push(tag);
      else {
        const at = open.findLastIndex(({ name }) => name === tag.name);
        if (at >= 0) open.splice(at, 1);
      }
    }
    // Nobody meant what never ends.
    open = open.filter(({ name }) => (lastEnds.get(name) ?? -1) > index).slice(0, MAX_OPEN);
    if (text.trim() === '') return '';
    const after = open.map(({ name }) => `</${name}>`).reverse();
    return `${before}${text.trim()}${after.join('')}`;
  });
}

function breakLines(paragraph: string): string {
  const lines = paragraph.split('\n').map((line) => line.trim());
  const broken = lines.map((line, index) =>
    index === lines.length - 1 || endsInBreak.test(line) ? line : `${line}<br>`,
  );
  return broken.join('\n').replaceAll(CODE_BREAK, '\n');
}
