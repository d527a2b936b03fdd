import { findChanges } from './merge-changes.js';
import type { Line } from './merge-lines.js';
import { mergeParagraph } from './merge-paragraph.js';

/**
 * The side that changed a passage since both began: none, one of the two, both alike, both in different words of one
 * paragraph, or both in different ways.
 */
export type Owner = 'nobody' | 'mine' | 'theirs' | 'both-alike' | 'both-apart' | 'contested';

/** Neighboring lines with the same fate in a merge. */
export interface Passage {
  readonly owner: Owner;
  /** As it was when both began. */
  readonly base: readonly Line[];
  readonly mine: readonly Line[];
  readonly theirs: readonly Line[];
  /** With the changes of both, where they are in different words. */
  readonly merged?: readonly Line[];
}

/** Lines of the base that one side replaced; none where it only put some in. */
interface Hunk {
  readonly side: 'mine' | 'theirs';
  /** In the base, the end excluded. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly Line[];
}

/**
 * A text of two writers, passage by passage in its order. They contest a passage if they changed the same lines, or put
 * lines in at the same place; changes of neighboring lines stand beside each other.
 */
export function mergeLines(base: readonly Line[], mine: readonly Line[], theirs: readonly Line[]): Passage[] {
  const hunks = [...findHunks('mine', base, mine), ...findHunks('theirs', base, theirs)];
  hunks.sort((a, b) => a.start - b.start || a.end - b.end);
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last?.some((earlier) => isContested(earlier, hunk))) last.push(hunk);
    else groups.push([hunk]);
  }
  const passages: Passage[] = [];
  let position = 0;
  const leaveTo = (end: number) => {
    const lines = base.slice(position, end);
    if (lines.length > 0) passages.push({ owner: 'nobody', base: lines, mine: lines, theirs: lines });
  };
  for (const group of groups) {
    leaveTo(group[0]?.start ?? position);
    passages.push(toPassage(base, group));
    position = Math.max(...group.map(({ end }) => end));
  }
  leaveTo(base.length);
  return passages;
}

/** Lines that were replaced one by one are hunks of their own. */
function findHunks(side: Hunk['side'], base: readonly Line[], changed: readonly Line[]): Hunk[] {
  const changes = findChanges(keysOf(base), keysOf(changed)) ?? [];
  return changes.flatMap(({ start, end, from, to }) => {
    const lines = changed.slice(from, to);
    if (lines.length !== end - start) return [{ side, start, end, lines }];
    return lines.map((line, index) => toEvenHunk(side, start + index, line));
  });
}

function toEvenHunk(side: Hunk['side'], start: number, line: Line): Hunk {
  return { side, start, end: start + 1, lines: [line] };
}

/** @param later begins where the earlier one does, or behind it */
function isContested(earlier: Hunk, later: Hunk): boolean {
  if (earlier.side === later.side || later.start > earlier.end) return false;
  if (later.start < earlier.end) return true;
  // One ends where the other begins: lines put in there could belong before or behind what the other one wrote.
  const isPutIn = earlier.start === earlier.end || later.start === later.end;
  return isPutIn && !isInPlace(earlier) && !isInPlace(later);
}

/** Returns true when lines went, or each has another one in its place. */
function isInPlace({ start, end, lines }: Hunk): boolean {
  return lines.length === 0 || lines.length === end - start;
}

function toPassage(base: readonly Line[], hunks: readonly Hunk[]): Passage {
  const start = Math.min(...hunks.map((hunk) => hunk.start));
  const end = Math.max(...hunks.map((hunk) => hunk.end));
  const sideOf = (side: Hunk['side']) => {
    const own = hunks.filter((hunk) => hunk.side === side);
    let position = start;
    const lines = own.flatMap((hunk) => {
      const before = base.slice(position, hunk.start);
      position = hunk.end;
      return [...before, ...hunk.lines];
    });
    return [...lines, ...base.slice(position, end)];
  };
  const [mine, theirs] = [sideOf('mine'), sideOf('theirs')];
  const passage = { owner: ownerOf(hunks, mine, theirs), base: base.slice(start, end), mine, theirs };
  const merged = passage.owner === 'contested' ? mergeWithin(passage) : null;
  return merged === null ? passage : { ...passage, owner: 'both-apart', merged: [merged] };
}

/** The paragraph that both changed, if they did so in different words. */
function mergeWithin({ base, mine, theirs }: Passage): Line | null {
  const [before, ours, others] = [base[0], mine[0], theirs[0]];
  const isOne = base.length === 1 && mine.length === 1 && theirs.length === 1;
  return isOne && before && ours && others ? mergeParagraph(before, ours, others) : null;
}

function ownerOf(hunks: readonly Hunk[], mine: readonly Line[], theirs: readonly Line[]): Owner {
  const [first] = hunks;
  if (first && hunks.every(({ side }) => side === first.side)) return first.side;
  return isSameLines(mine, theirs) ? 'both-alike' : 'contested';
}

function isSameLines(a: readonly Line[], b: readonly Line[]): boolean {
  return a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);
}

function keysOf(lines: readonly Line[]): string[] {
  return lines.map(({ key }) => key);
}
