import { parseHtml } from '../../../../lib/parse-html.js';
import { describeHtml } from './describe.js';
import { FILLER, isFiller, isObjectLine, keyOf, toLines, toPieces, type Line } from './lines.js';
import { readBlock } from './read-block.js';
import { splitBlocks } from './split-blocks.js';
import { groupOf, writeLines } from './write-lines.js';

/** A block of the text as it was loaded: its HTML, and the lines that the editor made of it. */
interface LoadedBlock {
  readonly html: string;
  readonly gap: string;
  readonly keys: readonly string[];
}

/** A stretch of the text to be written: a loaded block that is untouched, or lines that are new. */
interface Stretch {
  /** Place of the untouched block among the loaded ones; -1 if the lines are new. */
  readonly block: number;
  readonly lines: readonly Line[];
}

const EMPTY_KEY = keyOf({ pieces: [], formats: {} });

/** How many loaded blocks are remembered, for undo across `setHtml`. */
const MOST_BLOCKS = 20_000;

/**
 * The way between the HTML of a post and the lines of the editor. Nothing is lost on it: a block that the editor would
 * not give back with the same meaning becomes one object that shows it and keeps its HTML, and a block that nobody
 * touched is written exactly as it was, wherever it has been moved to.
 */
export class PostText {
  private blocks: LoadedBlock[] = [];
  private gap = '';

  /** Reads HTML into lines for the editor. */
  load(html: string, mustPreserve: ReadonlySet<number> = new Set()): Line[] {
    const sources = splitBlocks(html);
    const blocks = sources.map((source, index) => ({
      ...source,
      lines: mustPreserve.has(index) ? preserve(source.html) : readFaithfully(source.html),
    }));
    separateLists(blocks);
    const loaded = blocks.map(({ lines, ...block }) => ({ ...block, keys: lines.map(keyOf) }));
    // Undo may bring back what was there before.
    const earlier = this.blocks.filter((block) => !isEmptyParagraph(block));
    this.blocks = [...loaded, ...earlier].slice(0, MOST_BLOCKS);
    this.gap = sources.some(({ gap }) => gap !== '') ? '\n' : '';
    return withFillers(partGroups(blocks));
  }

  /** Places among the loaded blocks whose lines the editor did not take as they were given. */
  findMisread(given: readonly Line[], taken: readonly Line[], html: string): Set<number> {
    const owners = splitBlocks(html).flatMap((_block, index) => (this.blocks[index]?.keys ?? []).map(() => index));
    const real = given.filter((line) => !isFiller(line));
    const held = taken.filter((line) => !isFiller(line));
    const misread = new Set<number>();
    real.forEach((line, index) => {
      const other = held[index];
      if (other === undefined || keyOf(other) !== keyOf(line)) misread.add(owners[index] ?? 0);
    });
    return misread;
  }

  /** Writes lines of the editor as HTML. */
  write(lines: readonly Line[]): string {
    // Room for the cursor parts blocks of one kind.
    const apart = new Set(lines.filter((_line, index) => index > 0 && isFiller(lines[index - 1] as Line)));
    const stretches = this.match(
      lines.filter((line) => !isFiller(line)),
      apart,
    );
    let html = '';
    let previous: Stretch | undefined;
    for (const stretch of dropEmptyEnd(stretches)) {
      const block = this.blocks[stretch.block];
      const parts = block === undefined ? writeLines(stretch.lines) : [block.html];
      if (parts.length === 0) continue;
      if (previous !== undefined) html += this.gapBetween(previous, stretch);
      html += parts.join(this.gap);
      previous = stretch;
    }
    return html;
  }

  private gapBetween(previous: Stretch, next: Stretch): string {
    const isAsLoaded = previous.block >= 0 && next.block === previous.block + 1;
    return isAsLoaded ? (this.blocks[previous.block]?.gap ?? this.gap) : this.gap;
  }

  /** Finds the untouched blocks among the lines, preferably in their order. */
  private match(lines: readonly Line[], apart: ReadonlySet<Line>): Stretch[] {
    const keys = lines.map(keyOf);
    const byFirstKey = this.indexBlocks();
    const stretches: Stretch[] = [];
    let expected = 0;
    for (let at = 0; at < lines.length;) {
      const candidates = byFirstKey.get(keys[at] ?? '') ?? [];
      const fits = (index: number) =>
        this.blocks[index]?.keys.every((key, offset) => keys[at + offset] === key) ?? false;
      // An empty paragraph is like any other: only its place tells that it was there before.
      const isMoved = (index: number) => fits(index) && !isEmptyParagraph(this.blocks[index]);
      const block = candidates.find((index) => index >= expected && fits(index)) ?? candidates.find(isMoved) ?? -1;
      const length = Math.max(1, this.blocks[block]?.keys.length ?? 1);
      stretches.push({ block, lines: lines.slice(at, at + length) });
      if (block >= 0) expected = block + 1;
      at += length;
    }
    return joinNew(separateGroups(stretches, apart), apart);
  }

  private indexBlocks(): Map<string, number[]> {
    const index = new Map<string, number[]>();
    this.blocks.forEach(({ keys: [key = ''] }, place) => {
      const places = index.get(key);
      if (places === undefined) index.set(key, [place]);
      else places.push(place);
    });
    return index;
  }
}

/** The lines of a block, proven to say the same; or else the block as one object. */
function readFaithfully(html: string): Line[] {
  const element = parseHtml(html).firstElementChild;
  const read = element === null ? null : readBlock(element);
  if (read === null || read.length === 0) return preserve(html);
  // Neighboring texts of the same format are one to the editor.
  const lines = toLines(toPieces(read));
  return describeHtml(writeLines(lines).join('')) === describeHtml(html) ? lines : preserve(html);
}

function preserve(html: string): Line[] {
  return [{ object: { preserved: html } }];
}

/** Two numbered lists in a row stay two: the second one says that it starts anew. */
function separateLists(blocks: { lines: Line[] }[]): void {
  blocks.forEach((block, index) => {
    const [first, ...rest] = block.lines;
    const before = blocks[index - 1]?.lines.at(-1);
    if (first === undefined || isObjectLine(first) || before === undefined) return;
    const isNumbered = first.formats['list'] === 'ordered' && first.formats['list-start'] === undefined;
    if (!isNumbered || groupOf(before) !== 'list') return;
    block.lines = [{ ...first, formats: { ...first.formats, 'list-start': '1' } }, ...rest];
  });
}

/** Two blocks of code in one language, or two quotations, stay two: between them is room for the cursor. */
function partGroups(blocks: readonly { readonly lines: readonly Line[] }[]): Line[] {
  return blocks.flatMap(({ lines }, index) => {
    const [last, first] = [blocks[index - 1]?.lines.at(-1), lines[0]];
    const group = first === undefined ? null : groupOf(first);
    const isParted = group !== null && /^(?:code |quote$)/.test(group);
    return isParted && last !== undefined && groupOf(last) === group ? [FILLER, ...lines] : lines;
  });
}

function isEmptyParagraph(block: LoadedBlock | undefined): boolean {
  return block?.keys.length === 1 && block.keys[0] === EMPTY_KEY;
}

/** Room for the cursor before, between and after objects. */
function withFillers(lines: readonly Line[]): Line[] {
  const isObject = (line: Line) => isObjectLine(line) || line.formats['table'] !== undefined;
  const results: Line[] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    const isInside = before !== undefined && groupOf(line) !== null && groupOf(before) === groupOf(line);
    if (isObject(line) && !isInside && (before === undefined || isObject(before))) results.push(FILLER);
    results.push(line);
  });
  const last = lines.at(-1);
  if (last !== undefined && isObject(last)) results.push(FILLER);
  return results;
}

/**
 * A block is not untouched when its last item, line of code or quoted paragraph has got a new neighbor: the two are one
 * block now.
 */
function separateGroups(stretches: readonly Stretch[], apart: ReadonlySet<Line>): Stretch[] {
  const results = [...stretches];
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (let index = 1; index < results.length; index += 1) {
      const [before, after] = [results[index - 1], results[index]];
      if (before === undefined || after === undefined || !areOneGroup(before, after, apart)) continue;
      if (before.block < 0 && after.block < 0) continue;
      results[index - 1] = { ...before, block: -1 };
      results[index] = { ...after, block: -1 };
      hasChanged = true;
    }
  }
  return results;
}

function areOneGroup(before: Stretch, after: Stretch, apart: ReadonlySet<Line>): boolean {
  if (before.block >= 0 && after.block === before.block + 1) return false;
  const [last, first] = [before.lines.at(-1), after.lines[0]];
  if (last === undefined || first === undefined || apart.has(first)) return false;
  return groupOf(last) !== null && groupOf(last) === groupOf(first);
}

function joinNew(stretches: readonly Stretch[], apart: ReadonlySet<Line>): Stretch[] {
  const results: Stretch[] = [];
  for (const stretch of stretches) {
    const last = results.at(-1);
    const [first] = stretch.lines;
    const isApart = first !== undefined && apart.has(first) && groupOf(first) !== null;
    if (last?.block === -1 && stretch.block === -1 && !isApart) {
      results[results.length - 1] = { block: -1, lines: [...last.lines, ...stretch.lines] };
    } else {
      results.push(stretch);
    }
  }
  return results;
}

/** Without the empty paragraphs that the author has left at the end. */
function dropEmptyEnd(stretches: readonly Stretch[]): Stretch[] {
  const last = stretches.at(-1);
  if (last?.block !== -1) return [...stretches];
  const isEmpty = (line: Line) => !isObjectLine(line) && line.pieces.length === 0 && groupOf(line) === null;
  const end = last.lines.findLastIndex((line) => !isEmpty(line)) + 1;
  return [...stretches.slice(0, -1), { block: -1, lines: last.lines.slice(0, end) }];
}
