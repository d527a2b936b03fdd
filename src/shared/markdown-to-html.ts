import { Marked, type Tokens } from 'marked';

/** Notes by their names, as HTML, and those that the text leads to. */
interface Notes {
  readonly written: Map<string, string>;
  readonly used: Set<string>;
}

/** Stands around the name of a note until all notes are known; no text of a post has it. */
const SIGN = '\ue000';
const marks = new RegExp(`${SIGN}([^${SIGN}]*)${SIGN}`, 'g');

let notes: Notes = { written: new Map(), used: new Set() };

const marked = new Marked({
  gfm: true,
  async: false,
  extensions: [
    {
      name: 'footnote',
      level: 'block',
      start: (source) => /^\[\^[^\]\s]+\]:/m.exec(source)?.index,
      tokenizer(source) {
        const match = /^\[\^([^\]\s]+)\]:[ \t]*((?:[^\n]+(?:\n|$))(?:[ \t]+[^\n]+(?:\n|$))*)/.exec(source);
        if (match === null) return undefined;
        const [raw, name = '', text = ''] = match;
        return { type: 'footnote', raw, name, tokens: this.lexer.inlineTokens(text.replace(/\n[ \t]*/g, '\n').trim()) };
      },
      renderer({ name, tokens }: Tokens.Generic) {
        notes.written.set(String(name), this.parser.parseInline(tokens ?? []));
        return '';
      },
    },
    {
      name: 'footnotePlace',
      level: 'inline',
      start: (source) => source.indexOf('[^'),
      tokenizer(source) {
        const match = /^\[\^([^\]\s]+)\](?!:)/.exec(source);
        return match === null ? undefined : { type: 'footnotePlace', raw: match[0], name: match[1] };
      },
      renderer: ({ name }) => `${SIGN}${String(name)}${SIGN}`,
    },
  ],
});

/**
 * Markdown (GFM with footnotes, raw HTML included) as HTML that nobody has checked yet. Notes stand at their places, as
 * the editor has them; what leads to no note, and a note to which nothing leads, stays as it was written.
 */
export function markdownToHtml(markdown: string): string {
  notes = { written: new Map(), used: new Set() };
  const html = marked.parse(markdown.replaceAll(SIGN, '')) as string;
  const { written, used } = notes;
  const text = html.replace(marks, (_mark, name: string) => {
    const note = written.get(name);
    if (note === undefined) return `[^${name}]`;
    used.add(name);
    return `<span class="ql-footnote">${note.replace(marks, '[^$1]')}</span>`;
  });
  const left = [...written].filter(([name]) => !used.has(name));
  return text + left.map(([name, note]) => `<p>[^${name}]: ${note.replace(marks, '[^$1]')}</p>\n`).join('');
}
