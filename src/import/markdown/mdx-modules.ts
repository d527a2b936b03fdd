import { Lexer, type Token } from 'marked';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { findFences } from './markdown-in-html.js';
import { withoutLongStatements } from './mdx-statements.js';
import { writeJsx } from './mdx-tags.js';
import type { ResolvedText } from './template-leftovers.js';

const statement = /^(?:import|export)\s[^\n]*(?:\n(?![ \t]*$)[^\n]*)*/;
/** Code, or a comment: whichever begins first has the other in it. */
const codeOrComment = /(?<!`)(`{1,20})(?!`)(?:(?!\1)[^]|\1`+)*?\1(?!`)|\{\/\*[^]*?\*\/\}/g;
/** The same across paragraphs, which know no more of a comment than that it begins and ends. */
const codeOrWholeComment =
  /(?<!`)(`{1,20})(?!`)(?:(?!\1|\n[ \t]*\n)[^]|\1`+)*?\1(?!`)|\{\s{0,100}\/\*[^]{0,5000}?\*\/\s{0,100}\}/g;
const headingId = /\{\/\*\s*(#[\w-]{1,100})\s*\*\/\}/g;
const picture =
  /\bimport\s+(\w{1,100})\s+from\s+["']([^"'\n]{1,500}\.(?:png|jpe?g|gif|webp|avif|svg))(?:\?[^"'\n]{0,100})?["']/gi;
const verbatim = /<(?:pre|script|style|textarea)\b/i;
const words = /\{\s{0,20}(?:"([^"\\\n]{0,1000})"|'([^'\\\n]{0,1000})')\s{0,20}\}/g;
/** Words between signs that Markdown would take for those of code. */
const literal = /\{`([^`$\\{}]{0,1000})`\}/g;
const expression = /\{(?![#{%])[^{}\n]{1,300}\}/g;
const MAX_NAMED = 5;

/**
 * MDX as Markdown: without the imports and exports of its components, and without comments. Components themselves cannot
 * be run; their titles and what they enclose stay, and they are named, as are other words in their attributes. Pictures that are imported stand where they are shown; other expressions stay, and are
 * named too.
 */
export function withoutModules(body: string): ResolvedText {
  const names = new Set<string>();
  const left = new Set<string>();
  const pictures = new Map<string, string>();
  for (const [, name = '', path = ''] of body.matchAll(picture)) pictures.set(name, path.replace(/^[@~]\//, '/src/'));
  const unknown = new Set<string>();
  const lost = new Set<string>();
  const write = (part: string) => {
    const written = writeJsx(part, pictures);
    for (const name of written.components) names.add(name);
    for (const name of written.unknown) unknown.add(name);
    for (const said of written.words) lost.add(said);
    return written.text.replace(words, (_all, double?: string, single?: string) => double ?? single ?? '');
  };
  const text = new Lexer()
    .lex(withoutIndents(withoutLongStatements(withoutLongComments(body))))
    .map(({ type, raw }) => {
      if (type === 'code') return raw;
      if (type === 'paragraph' && statement.test(raw)) return '\n\n';
      const written = (type === 'heading' ? raw.replace(headingId, '{$1}') : raw)
        .replace(literal, '$1')
        .replace(codeOrComment, (found: string, marks?: string) => (marks === undefined ? '' : found));
      // Code in a line is no expression.
      const rest = verbatim.test(written)
        ? written
        : written
            .split(/(`+[^`]+`+)/)
            .map((part, index) => (index % 2 === 1 ? part : write(part)))
            .join('');
      const shown = type === 'html' && !verbatim.test(rest) ? withLines(rest) : rest;
      const plain = shown.replace(/`+[^`]+`+/g, '').replace(/<\/?[a-z][^<>]{0,2000}>/gi, '');
      for (const [found] of plain.matchAll(expression)) left.add(found);
      return shown;
    });
  const list = [...names].slice(0, 20).join(', ');
  return {
    text: withoutIndents(text.join('')),
    warnings: [
      ...(names.size === 0 ? [] : [`components were left out, what they enclose stays: ${list}`]),
      ...(lost.size === 0 ? [] : [`words in attributes of components were left out: ${someOf(lost)}`]),
      ...(unknown.size === 0
        ? []
        : [`attributes with expressions of MDX were left out: ${[...unknown].slice(0, 20).join(', ')}`]),
      ...(left.size === 0 ? [] : [`expressions of MDX were left in the text: ${someOf(left)}`]),
    ],
  };
}

/** The text without comments of several lines, but for those in fences. */
function withoutLongComments(body: string): string {
  if (!body.includes('/*')) return body;
  let written = '';
  let at = 0;
  const take = (text: string) =>
    text.replace(codeOrWholeComment, (found: string) => (found.startsWith('{') && found.includes('\n') ? '' : found));
  for (const { start, end } of findFences(body)) {
    written += take(body.slice(at, start)) + body.slice(start, end);
    at = end;
  }
  return written + take(body.slice(at));
}

/** MDX reads the lines in elements as Markdown, where CommonMark takes them as they are up to an empty line. */
function withLines(html: string): string {
  return html
    .split(/(\n[ \t]*\n\s*)/)
    .map((block) => (/^\s*<[a-z/]/i.test(block) ? block.replace(/(<[^<>]*>)|[^<>]+/g, readLines) : block))
    .join('');
}

/** Text between tags, with its Markdown read; a list or a heading is none in a line with a tag. */
function readLines(text: string, tag?: string): string {
  if (tag !== undefined || !/[*_`~[\\]/.test(text)) return text;
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [after = ''] = /\s*$/.exec(text.slice(before.length)) ?? [];
  const inside = text.slice(before.length, text.length - after.length);
  const [, line] = /^<p>([^]*)<\/p>\n$/.exec(markdownToHtml(inside)) ?? [];
  return line === undefined || line.includes('<p>') ? text : before + line + after;
}

function someOf(all: ReadonlySet<string>): string {
  const more = all.size > MAX_NAMED ? ` and ${all.size - MAX_NAMED} more` : '';
  return [...all].slice(0, MAX_NAMED).join(', ') + more;
}

/** MDX has no code by indentation: its authors indent what stands in elements. */
function withoutIndents(body: string): string {
  if (!/^(?: {4}|\t)/m.test(body)) return body;
  const tokens = new Lexer().lex(body);
  const isIndented = (token: Token) => token.type === 'code' && token['codeBlockStyle'] === 'indented';
  return tokens.map((token) => (isIndented(token) ? token.raw.replace(/^[ \t]+/gm, '') : token.raw)).join('');
}
