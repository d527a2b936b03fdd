import { Marked, type Parser, type Token, type Tokens } from 'marked';
import { generatorSyntax, readingAs, startOf, USUAL_DIALECT, type MarkdownDialect } from './markdown-extensions.js';

/** Notes by their names, as HTML, and those that the text leads to. */
interface Notes {
  readonly written: Map<string, string>;
  readonly used: Set<string>;
}

/** Stands around the name of a note until all notes are known; no text of a post has it. */
const SIGN = '\ue000';
const marks = new RegExp(`${SIGN}([^${SIGN}]*)${SIGN}`, 'g');

/** The text of a note: its line, those that go on with it, and paragraphs that are indented below it. */
const noteText =
  /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^\n]*(?:\n(?! {0,3}\[\^[^\]\s]+\]:|[ \t]*(?:\n|$)|#{1,6} |>|`{3}|~{3}|[-*+] )[^\n]+)*(?:(?:\n[ \t]*)+\n(?: {4}|\t)[^\n]+(?:\n(?: {2,}|\t)[^\n]+)*)*)(?:\n|$)/;

let notes: Notes = { written: new Map(), used: new Set() };

const marked = new Marked(generatorSyntax, {
  gfm: true,
  async: false,
  extensions: [
    {
      name: 'footnote',
      level: 'block',
      // What is given lacks the first letter of the text, so that it does not begin with a line.
      start(source) {
        const match = /\n {0,3}\[\^[^\]\s]+\]:/.exec(source);
        return match === null ? undefined : match.index + 1;
      },
      tokenizer(source) {
        const match = noteText.exec(source);
        if (match === null) return undefined;
        const [raw, name = '', text = ''] = match;
        return {
          type: 'footnote',
          raw,
          name,
          tokens: this.lexer.blockTokens(text.replace(/\n(?: {1,4}|\t)/g, '\n'), []),
        };
      },
      renderer({ name, tokens }: Tokens.Generic) {
        notes.written.set(String(name), toLines(tokens ?? [], this.parser));
        return '';
      },
    },
    {
      name: 'footnotePlace',
      level: 'inline',
      start: startOf(/\[\^/),
      tokenizer(source) {
        const match = /^\[\^([^\]\s]+)\]/.exec(source);
        return match === null ? undefined : { type: 'footnotePlace', raw: match[0], name: match[1] };
      },
      renderer: ({ name }) => `${SIGN}${String(name)}${SIGN}`,
    },
    {
      name: 'noteInPlace',
      level: 'inline',
      start: startOf(/\^\[/),
      tokenizer(source) {
        const [raw, text = ''] = /^\^\[((?:[^[\]]|\[[^[\]]{0,200}\]){1,2000})\]/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'noteInPlace', raw, tokens: this.lexer.inlineTokens(text) };
      },
      renderer({ tokens }: Tokens.Generic) {
        return `<span class="ql-footnote">${this.parser.parseInline(tokens ?? []).replace(marks, '[^$1]')}</span>`;
      },
    },
  ],
});

/** The blocks of a note, which is a line of text here, as lines with breaks between them. */
function toLines(tokens: readonly Token[], parser: Parser): string {
  const lines = tokens.flatMap((token): string[] => {
    switch (token.type) {
      case 'space':
        return [];
      case 'list':
        return (token as Tokens.List).items.map((item) => toLines(item.tokens, parser));
      case 'code':
        return String(token.text)
          .split('\n')
          .map((line) => `<code>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code>`);
      case 'paragraph':
      case 'text':
        return [parser.parseInline((token as Tokens.Paragraph).tokens)];
      default:
        return [parser.parse([token])];
    }
  });
  return lines.join('<br>');
}

/**
 * Markdown (GFM with footnotes and what site generators add, raw HTML included) as HTML that nobody has checked yet. Notes stand at their places, as
 * the editor has them; what leads to no note, and a note to which nothing leads, stays as it was written.
 * @param unused gets the notes, as HTML, that are not shown as nothing leads to them; those of a dialect that shows them are in the text
 */
export function markdownToHtml(
  markdown: string,
  dialect: MarkdownDialect = USUAL_DIALECT,
  unused: string[] = [],
): string {
  notes = { written: new Map(), used: new Set() };
  const html = readingAs(dialect, () => marked.parse(markdown.replaceAll(SIGN, '')) as string);
  const { written, used } = notes;
  const text = html.replace(marks, (_mark, name: string) => {
    const note = written.get(name);
    if (note === undefined) return `[^${name}]`;
    used.add(name);
    return `<span class="ql-footnote">${note.replace(marks, '[^$1]')}</span>`;
  });
  const left = [...written]
    .filter(([name]) => !used.has(name))
    .map(([name, note]) => `[^${name}]: ${note.replace(marks, '[^$1]')}`);
  if (dialect.showsUnusedNotes === false) {
    unused.push(...left);
    return text;
  }
  return text + left.map((note) => `<p>${note}</p>\n`).join('');
}

/** The tags of HTML that a text has outside its code, as they are written there; closing ones and comments are not among them. */
export function findWrittenHtml(markdown: string, dialect: MarkdownDialect): string[] {
  const found: string[] = [];
  notes = { written: new Map(), used: new Set() };
  const tokens = readingAs(dialect, () => marked.lexer(markdown.replaceAll(SIGN, '')));
  void marked.walkTokens(tokens, (token) => {
    if (token.type !== 'html') return;
    // One by one: there may be more than a function can be given.
    for (const tag of token.raw.replace(/<!--[^]*?(?:-->|$)/g, '').match(/<[a-z][^<>]*>/gi) ?? []) found.push(tag);
  });
  return found;
}
