import { findFences } from './markdown-in-html.js';

/** The beginning of what is code for certain: a sentence may begin with these words as well. */
const start =
  /^(?:import\s+(?:[\w$]+\s*,\s*)?(?:\{|\*\s+as\s)|export\s+(?:default\b|const\s|let\s|var\s|(?:async\s+)?function\b|class\s|\{))/;
const MAX_LINES = 500;

/**
 * Takes statements out of MDX that go on below an empty line, as functions do: paragraphs know no more of them than that they begin. A statement
 * ends with a paragraph in which no bracket is left open; one that never does stays.
 */
export function withoutLongStatements(body: string): string {
  if (!/^(?:import|export)\s/m.test(body)) return body;
  const fences = findFences(body);
  const lines = body.split('\n');
  const kept: string[] = [];
  let at = 0;
  let place = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const isFirst = at === 0 || (kept.at(-1) ?? '').trim() === '' || /^(?:import|export)\s/.test(kept.at(-1) ?? '');
    const isInFence = fences.some((fence) => place >= fence.start && place < fence.end);
    const end = isFirst && !isInFence && start.test(line) ? endOfStatement(lines, at) : null;
    for (const one of lines.slice(at, end ?? at + 1)) place += one.length + 1;
    if (end === null) kept.push(line);
    at = end ?? at + 1;
  }
  return kept.join('\n');
}

/** The line behind a statement of several paragraphs; null for one that ends with its first, or never. */
function endOfStatement(lines: readonly string[], from: number): number | null {
  const brackets = new Brackets();
  let paragraphs = 0;
  for (let at = from; at <= Math.min(lines.length, from + MAX_LINES); at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() !== '') brackets.read(line);
    else if (brackets.areClosed) return paragraphs === 0 ? null : at;
    else paragraphs += 1;
  }
  return null;
}

/** Counts the brackets of code, but for those in its strings and comments. */
class Brackets {
  private depth = 0;
  private within: '' | '`' | '/*' = '';

  get areClosed(): boolean {
    return this.depth <= 0 && this.within === '';
  }

  read(line: string): void {
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at] ?? '';
      const two = line.slice(at, at + 2);
      if (this.within === '/*') {
        if (two === '*/') this.within = '';
      } else if (this.within === '`') {
        if (sign === '\\') at += 1;
        else if (sign === '`') this.within = '';
      } else if (two === '//' && line[at - 1] !== ':') return;
      else if (two === '/*') this.within = '/*';
      else if (sign === '`') this.within = '`';
      else if (sign === '"' || sign === "'") {
        // An apostrophe in the words of an element begins no string.
        const [text = ''] = new RegExp(`^${sign}(?:[^${sign}\\\\]|\\\\.)*${sign}`).exec(line.slice(at)) ?? [];
        at += Math.max(0, text.length - 1);
      } else if ('([{'.includes(sign)) this.depth += 1;
      else if (')]}'.includes(sign)) this.depth -= 1;
    }
  }
}
