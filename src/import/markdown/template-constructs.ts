/** A construct of a template engine or of kramdown in a text, with its start and end. */
export interface Construct {
  /** An `escape` is a tag in a comment, by which it is to be shown instead of carried out. */
  readonly kind: 'region' | 'expression' | 'tag' | 'attributes' | 'reference' | 'escape' | 'contents';
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
  /** For a region (`highlight`, `comment`): the text between its tags, and the words of the first tag. */
  readonly inside?: string;
  readonly words?: string;
  readonly isComment?: boolean;
  /** True for a comment of kramdown, which knows what code is; template engines do not. */
  readonly isOfKramdown?: boolean;
}

/** A text without the marks of what was to be kept from the template engine, and what is left to be resolved in it. */
export interface ConstructedText {
  readonly text: string;
  readonly constructs: readonly Construct[];
}

const opening =
  /\{%-?\s{0,9}(raw|highlight|comment|codeblock)\b([^%\n]{0,200})-?%\}|\{\{[<%]\s{0,9}(highlight)\b([^<>%\n]{0,200})[>%]\}\}|\{\{[^{}]*\}\}|\{%[^%]*%\}|(?<=^|\n)(?:[*+-]|\d{1,3}\.)[ \t]+[^\n]{1,200}\n[ \t]*\{:[^{}\n]*\btoc\b[^{}\n]*\}|\{::comment\b[^{}\n]{0,200}(?<!\/)\}|\{:[^{}\n]*\}|(?<=\]\()@\/[^)\s]{1,500}(?=\))|(?<=(?:^|\n) {0,3}\[[^\]\n]{1,500}\]:[ \t]{1,9})@\/\S{1,500}|\{\{-?\s{0,9}(?:"[^"\n]{0,100}"|'[^'\n]{0,100}')[^{}\n]{0,100}\}\}/g;
/** The way in which generators write tags that are to be shown, in code too. */
const escapes = {
  hugo: /\{\{[<%]\/\*[^]{0,2000}?\*\/[>%]\}\}/,
  zola: /(?:\{\{\/\*[^]{0,2000}?\*\/\}\}|\{%\/\*[^]{0,2000}?\*\/%\})/,
} as const;
/** Comments of Nunjucks. */
const nunjucksComment = /\{#(?:(?!#\})[^]){0,5000}#\}/;
const endings: Readonly<Record<string, RegExp>> = {
  raw: /\{%-?\s{0,9}endraw\s{0,9}-?%\}/g,
  highlight: /\{%-?\s{0,9}endhighlight\s{0,9}-?%\}/g,
  codeblock: /\{%-?\s{0,9}endcodeblock\s{0,9}-?%\}/g,
  comment: /\{%-?\s{0,9}endcomment\s{0,9}-?%\}/g,
  kramdown: /\{:\/(?:comment)?\}/g,
  shortcode: /\{\{[<%]\s{0,9}\/\s{0,9}highlight\s{0,9}[>%]\}\}/g,
};
/** In code of a `highlight` tag, with the lines in which they stand alone. */
const rawMarks = /(?<=\n)[ \t]*\{%-?\s{0,9}(?:end)?raw\s{0,9}-?%\}[ \t]*\n|\{%-?\s{0,9}(?:end)?raw\s{0,9}-?%\}/g;
/** Neither a paragraph nor a fence is begun inside a tag. */
const tooMuch = /\n[ \t]*\n|\n[ \t>]*(?:`{3}|~{3})/;
const fenceBefore = /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}|~{3,})[^\n]*\n$/;
const fenceAfter = /^\n[ \t>]*(?:`{3,}|~{3,})/;

/**
 * Finds what templates of static site generators leave in Markdown, in the order in which they would read it: wherever
 * it is, since they know nothing of Markdown. What is opened and never closed is none.
 * @param isLiquid whether `raw`, `comment` and `highlight` tags mean anything: those of Liquid and Nunjucks do
 * @param escape whose way of showing tags is read; null for neither
 * @param isNunjucks whether `{# text #}` is a comment
 */
export function findConstructs(
  markdown: string,
  isLiquid: boolean,
  escape: keyof typeof escapes | null = null,
  isNunjucks = false,
): ConstructedText {
  const builder = new TextBuilder(markdown);
  const shown = escape === null ? null : new RegExp(`^(?:${escapes[escape].source})$`);
  const first = [...(escape === null ? [] : [escapes[escape]]), ...(isNunjucks ? [nunjucksComment] : [])];
  const pattern = new RegExp([...first, opening].map(({ source }) => source).join('|'), 'g');
  // What has no end is not looked for again, or time would grow with the square of the length.
  const endless = new Set<string>();
  for (let match = pattern.exec(markdown); match !== null; match = pattern.exec(markdown)) {
    const [whole, tag, words = '', shortcode, shortcodeWords = ''] = match;
    const start = match.index;
    if (shown?.test(whole) === true) {
      builder.add({ kind: 'escape', start, end: pattern.lastIndex });
      continue;
    }
    if (isNunjucks && whole.startsWith('{#')) {
      builder.add({ kind: 'region', start, end: pattern.lastIndex, isComment: true });
      continue;
    }
    const isOfKramdown = /^\{::comment\b.*(?<!\/)\}$/.test(whole);
    const name = isOfKramdown ? 'kramdown' : shortcode === undefined ? (isLiquid ? tag : undefined) : 'shortcode';
    const ending = name === undefined ? null : findEnd(markdown, pattern.lastIndex, name, endless);
    if (ending !== null) {
      const between = markdown.slice(pattern.lastIndex, ending.start);
      const inside = tag === 'highlight' ? between.replace(rawMarks, '') : between;
      if (name === 'raw') builder.addRaw(start, pattern.lastIndex, ending);
      else {
        builder.add({
          kind: 'region',
          start,
          end: ending.end,
          inside,
          words: tag === 'codeblock' ? wordsOfCodeblock(words) : words || shortcodeWords,
          isComment: name === 'comment' || isOfKramdown,
          isOfKramdown,
        });
      }
      pattern.lastIndex = ending.end;
    } else if (tooMuch.test(whole)) {
      pattern.lastIndex = start + 2;
    } else {
      builder.add({ kind: kindOf(whole), start, end: pattern.lastIndex });
    }
  }
  return builder.finish();
}

/** The words of a tag of Hexo (`Title lang:js https://a.example`) as those of `highlight`. */
function wordsOfCodeblock(words: string): string {
  const language = /\blang:([\w+#.-]{1,30})/.exec(words)?.[1] ?? '';
  const title = words.replace(/\b(?:lang|line_number|highlight|first_line|mark|wrap|line_threshold):\S+/g, '').trim();
  return title === '' ? language : `${language} title="${title.replaceAll('"', "'")}"`;
}

function kindOf(written: string): Construct['kind'] {
  if (written.startsWith('{{')) return 'expression';
  if (written.startsWith('{%')) return 'tag';
  if (/^[*+\d-]/.test(written)) return 'contents';
  return written.startsWith('@') ? 'reference' : 'attributes';
}

interface Ending {
  readonly start: number;
  readonly end: number;
}

function findEnd(markdown: string, from: number, name: string, endless: Set<string>): Ending | null {
  const ending = endings[name];
  if (ending === undefined || endless.has(name)) return null;
  const pattern = new RegExp(ending);
  pattern.lastIndex = from;
  const match = pattern.exec(markdown);
  if (match === null) endless.add(name);
  return match === null ? null : { start: match.index, end: pattern.lastIndex };
}

/** Copies a text without the marks of raw parts, and counts the places of constructs anew. */
class TextBuilder {
  private readonly parts: string[] = [];
  private readonly constructs: Construct[] = [];
  private length = 0;
  private at = 0;

  constructor(private readonly source: string) {}

  add(construct: Construct): void {
    this.copy(construct.start);
    this.constructs.push({ ...construct, start: this.length, end: this.length + construct.end - construct.start });
    this.copy(construct.end);
  }

  /** Inside, only kramdown finds something: it reads what the template engine gives. */
  addRaw(start: number, insideStart: number, ending: Ending): void {
    const [before, afterOpening] = this.withoutEmptyLine(start, insideStart);
    this.copy(before);
    this.at = afterOpening;
    const inside = this.source.slice(insideStart, ending.start);
    for (const match of inside.matchAll(/\{:[^{}\n]*\}/g)) {
      const found = insideStart + match.index;
      this.add({ kind: 'attributes', start: found, end: found + match[0].length });
    }
    const [beforeEnding, after] = this.withoutEmptyLine(ending.start, ending.end);
    this.copy(beforeEnding);
    this.at = after;
  }

  finish(): ConstructedText {
    this.copy(this.source.length);
    return { text: this.parts.join(''), constructs: this.constructs };
  }

  /** A tag alone in the first or last line of a fence would leave an empty line in the code. */
  private withoutEmptyLine(start: number, end: number): [number, number] {
    const lineStart = this.source.lastIndexOf('\n', start - 1) + 1;
    if (!/^[ \t>]*$/.test(this.source.slice(lineStart, start))) return [start, end];
    const rest = /^[ \t]*(?=\n)/.exec(this.source.slice(end, end + 200));
    if (rest === null) return [start, end];
    const lineEnd = end + rest[0].length;
    const isFirst = fenceBefore.test(this.source.slice(Math.max(0, lineStart - 200), lineStart));
    const isLast = fenceAfter.test(this.source.slice(lineEnd, lineEnd + 200));
    return (isFirst || isLast) && lineStart >= this.at ? [lineStart, lineEnd + 1] : [start, end];
  }

  private copy(end: number): void {
    if (end <= this.at) return;
    this.parts.push(this.source.slice(this.at, end));
    this.length += end - this.at;
    this.at = end;
  }
}
