import { Tokenizer, type MarkedExtension, type Token, type Tokens, type TokenizerThis } from 'marked';

import { readDeepLink } from './markdown-deep-links.js';

interface Parts {
  /** The source of the part, and what it holds. */
  readonly raw: string;
  readonly text: string;
}

/** Words in shells and prices stand between dollars too: a formula has a sign of one, or is short. */
const formulaSign = /[\\^_={}+*/<>|]|-\d|^\s*\S{1,3}\s*$/;
const inlineFormula =
  /^\$\$((?:(?!\n[ \t]*\n)[^$]){1,2000})\$\$|^\\\\\(((?:(?!\n[ \t]*\n)[^]){1,2000}?)\\\\\)|^\\\\\[([^]{1,2000}?)\\\\\]/;
const marked = /^==(?=[^\s=])((?:[^=\n]|=(?!=)){0,500}?[^\s=])==(?![=\w])/;
const lowered = /^~(?!~)([^\s~]{1,50})~(?!~)/;
const raised = /^\^([-+−]?[\p{L}\p{N}]{1,20})\^(?![\p{L}\p{N}])/u;

/** A line of text that is no part of a list, a quotation, a table, code, HTML or a note. */
const termLine = /^(?![ \t]*(?:[-*+][ \t]|>|#{1,6}[ \t]|\||`{3}|~{3}|:|<|\[\^|\d{1,9}[.)][ \t]|$))[^\n]+\n/;
/** Each of them reaches as far as it can: there is one way to read a row of them, so that none takes long. */
const headingAttributes =
  /(^|\S)\s*\{:?(?:\s*(?:[#.][\w:.-]+(?![\w:.-])|[\w-]+=(?:"[^"]*"|[^\s"}]+(?![^\s"}]))))+\s*\}\s*$/;
const escapedSign = /\\([!-/:-@[-`{-~])/g;

/** The Markdown of a generator, as far as it differs from that of others in signs. */
export interface MarkdownDialect {
  /**
   * Which addresses become links though nothing says that they are some. `after-spaces` are those of hosts with a name, at the beginning of a line,
   * behind a space or one of the signs `*_~(`, as goldmark of Hugo has it.
   */
  readonly bareAddresses: 'all' | 'after-spaces' | 'none';
  /** True where `==a==`, `~a~` and `^a^` are more than text. */
  readonly hasSigns: boolean;
  /**
   * True where lines are read as kramdown has them: code ends at the first of its signs, two backslashes end a line, `<<` and `>>` are quotation marks, and a tag
   * of what is no part of a line is text.
   */
  readonly isOfKramdown?: boolean;
  /** False where indented lines are no code, as in Eleventy. */
  readonly hasIndentedCode?: boolean;
  /** False where a footnote to which nothing leads is not shown. */
  readonly showsUnusedNotes?: boolean;
  /** True where `$a_1$` is a formula, as `$$a_1$$` is everywhere. */
  readonly hasDollarMath?: boolean;
  /** False where `Term` and `: what it is` below it are lines of text. */
  readonly hasDefinitions?: boolean;
  /** True where the end of a line is one, and a heading needs no space behind its signs, as in Ghost. */
  readonly isOfGhost?: boolean;
  /** True where `~a~` is struck out unless it begins or ends within a word, as pulldown-cmark of Zola has it. */
  readonly isOfZola?: boolean;
}

/** As GitHub reads it, with signs that plugins of generators and other editors add. */
export const USUAL_DIALECT: MarkdownDialect = { bareAddresses: 'all', hasSigns: true };

let dialect = USUAL_DIALECT;

/** Does something, at once, in which Markdown is read as this dialect. */
export function readingAs<T>(wanted: MarkdownDialect, read: () => T): T {
  const before = dialect;
  dialect = wanted;
  try {
    return read();
  } finally {
    dialect = before;
  }
}

/** Elements of which kramdown makes text in a line; those that end soon were meant, and stay. */
const blockTag =
  /^<(address|article|aside|applet|body|blockquote|caption|col|colgroup|dd|div|dl|dt|fieldset|figcaption|footer|form|h[1-6]|head|header|hgroup|hr|html|iframe|legend|li|main|map|menu|nav|ol|optgroup|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:\s[^<>]*)?>/i;
const quotationMarks: Readonly<Record<string, string>> = { '<<': '«', '<< ': '«\u00a0', '>>': '»', ' >>': '\u00a0»' };
/** An address of which the host has no dot, as that of a machine. */
const localAddress = /^<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)>/i;

const namedHost = /^(?:(?:https?|ftp):\/\/[-\w@:%.+~#=]{1,256}\.[a-z]+|www\.|[^/]+@)/i;

/** Marks, sub- and superscript: what generators write with a sign on either side. */
const signs: readonly [tag: string, pattern: RegExp][] = [
  ['mark', marked],
  ['sub', lowered],
  ['sup', raised],
];

/**
 * Syntax that site generators add to GFM, in the forms of the editor: definition lists, formulas, marks, sub- and superscript.
 * Attributes of headings, but for their ids, and of code are left out, and addresses lose the signs that escape their underscores.
 */
export const generatorSyntax: MarkedExtension = {
  extensions: [
    {
      name: 'formula',
      level: 'inline',
      start(source) {
        return dialect.hasDollarMath === true ? findDollar(source) : findFormula(source);
      },
      tokenizer(source) {
        const formula = readFormula(source) ?? (dialect.hasDollarMath === true ? readDollars(source) : undefined);
        return formula === undefined ? undefined : { type: 'formula', ...formula };
      },
      renderer: ({ text }) => formulaHtml(String(text)),
    },
    {
      name: 'formulaBlock',
      level: 'block',
      tokenizer(source) {
        const formula = /^(?:\$\$|\\\\\[)/.test(source) ? readFormula(source) : undefined;
        const rest = formula === undefined ? null : /^[ \t]*(?:\n+|$)/.exec(source.slice(formula.raw.length));
        if (formula === undefined || rest === null) return undefined;
        return { type: 'formulaBlock', raw: formula.raw + rest[0], text: formula.text };
      },
      renderer: ({ text }) => `<p class="ql-align-center">${formulaHtml(String(text))}</p>\n`,
    },
    {
      name: 'deepLink',
      level: 'inline',
      start: startOf(/!?\[/),
      tokenizer(source) {
        const { state } = this.lexer;
        const link = state.inLink ? undefined : readDeepLink(source);
        if (link === undefined) return undefined;
        const { raw, label: text, href, title } = link;
        if (raw.startsWith('!')) return { type: 'image', raw, href, title, text };
        state.inLink = true;
        const tokens = this.lexer.inlineTokens(text);
        state.inLink = false;
        return { type: 'link', raw, href, title, text, tokens };
      },
    },
    {
      name: 'signed',
      level: 'inline',
      start: startOf(/==|~|\^/),
      tokenizer(source) {
        if (!dialect.hasSigns) return undefined;
        for (const [tag, pattern] of signs) {
          const [raw, text = ''] = pattern.exec(source) ?? [];
          if (raw !== undefined) return { type: 'signed', raw, tag, tokens: this.lexer.inlineTokens(text) };
        }
        return undefined;
      },
      renderer({ tag, tokens }: Tokens.Generic) {
        return `<${String(tag)}>${this.parser.parseInline(tokens ?? [])}</${String(tag)}>`;
      },
    },
    {
      name: 'quotationMark',
      level: 'inline',
      start(source) {
        return dialect.isOfKramdown === true ? findMark(source) : undefined;
      },
      tokenizer(source) {
        const [raw] = (dialect.isOfKramdown === true ? /^(?:<< ?| ?>>)/.exec(source) : null) ?? [];
        return raw === undefined ? undefined : { type: 'quotationMark', raw };
      },
      renderer: ({ raw }) => quotationMarks[raw] ?? raw,
    },
    {
      name: 'lineEnd',
      level: 'inline',
      start(source) {
        if (dialect.isOfKramdown === true) return findSignedEnd(source);
        return dialect.isOfGhost === true ? findLineEnd(source) : undefined;
      },
      tokenizer(source) {
        const end = dialect.isOfKramdown === true ? signedEnd : dialect.isOfGhost === true ? lineEnd : undefined;
        const [raw] = end?.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'br', raw };
      },
    },
    {
      name: 'closeHeading',
      level: 'block',
      start(source) {
        const at = dialect.isOfGhost === true ? source.search(/\n#{1,6}[^#\s]/) : -1;
        return at < 0 ? undefined : at + 1;
      },
      tokenizer(source) {
        const match = dialect.isOfGhost === true ? /^(#{1,6})([^#\s][^\n]*)(?:\n+|$)/.exec(source) : null;
        if (match === null) return undefined;
        const [raw, marks = '', words = ''] = match;
        const text = withoutClosingSigns(words);
        return { type: 'heading', raw, depth: marks.length, text, tokens: this.lexer.inline(text) };
      },
    },
    {
      name: 'definitions',
      level: 'block',
      childTokens: ['parts'],
      tokenizer(source) {
        return dialect.hasDefinitions === false ? undefined : readDefinitions(source, this);
      },
      renderer({ entries }: Tokens.Generic) {
        const parts = (entries as readonly DefinitionEntry[]).map(({ tag, tokens }) => {
          const [first, ...others] = tokens.filter(({ type }) => type !== 'space');
          const isLine = first?.type === 'paragraph' && others.length === 0;
          if (isLine) return `<${tag}>${this.parser.parseInline((first as Tokens.Paragraph).tokens)}</${tag}>\n`;
          return `<${tag}>${this.parser.parse([...tokens])}</${tag}>\n`;
        });
        return `<dl>\n${parts.join('')}</dl>\n`;
      },
    },
  ],
  tokenizer: {
    code(source) {
      return dialect.hasIndentedCode === false && /^(?: {4}| {0,3}\t)/.test(source) ? undefined : false;
    },
    codespan(source) {
      return dialect.isOfKramdown === true ? readCodeOfKramdown(source) : false;
    },
    tag(source) {
      const [raw, name = ''] = (dialect.isOfKramdown === true ? blockTag.exec(source) : null) ?? [];
      if (raw === undefined) return false;
      const isEnding = source.slice(0, WINDOW).toLowerCase().includes(`</${name.toLowerCase()}`);
      return isEnding ? false : undefined;
    },
    autolink(source) {
      const [raw, address = ''] = localAddress.exec(source) ?? [];
      if (raw === undefined || dialect.isOfKramdown === true) return false;
      const tokens: [Tokens.Text] = [{ type: 'text', raw: address, text: address, escaped: false }];
      return { type: 'link', raw, text: address, href: `mailto:${address}`, tokens };
    },
    del(source, _masked, before) {
      if (dialect.hasSigns || !/^~(?!~)/.test(source)) return false;
      const isAtWord = before === undefined || !/[^\s\p{P}\p{S}]$/u.test(before);
      return dialect.isOfZola === true && isAtWord && struck.test(source) ? false : undefined;
    },
    url(source) {
      if (dialect.bareAddresses === 'none') return undefined;
      const token = Tokenizer.prototype.url.call(this, source);
      if (token?.text.includes('\\') !== true) return token;
      const text = token.text.replace(escapedSign, '$1');
      return {
        ...token,
        text,
        href: token.href.replace(escapedSign, '$1'),
        tokens: [{ type: 'text', raw: text, text }],
      };
    },
  },
  renderer: {
    heading(token) {
      const id = headingIds.get(token);
      return id === undefined
        ? false
        : `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
    },
  },
  walkTokens(token) {
    if (token.type === 'heading') removeAttributes(token as Tokens.Heading);
    else if (token.type === 'code' && token.lang) token.lang = languageOf(String(token.lang));
    if (dialect.bareAddresses === 'after-spaces') unlinkAddresses(token);
  },
};

/** Text between two signs that strike it out, up to the end of a word. */
const struck = /^~(?=[^\s~])[^~\n]{0,500}[^\s~]~(?![~\p{L}\p{N}])|^~[^\s~]~(?![~\p{L}\p{N}])/u;
const lineEnd = /^ *\n(?=[ \t]*\S)/;
const findLineEnd = startOf(/ *\n/);
/** The end of a line of kramdown, beside two spaces. */
const signedEnd = /^\\\\\n(?=[ \t]*\S)/;
const findSignedEnd = startOf(/\\\\\n/);
const findMark = startOf(/<<| ?>>/);

/** Code ends at the first run of as many signs as it begins with, whatever is beside them; one sign between spaces begins none. */
function readCodeOfKramdown(source: string): Tokens.Codespan | undefined {
  const [sign = ''] = /^`+/.exec(source) ?? [];
  const end = sign === '' || (sign === '`' && /^`\s/.test(source)) ? -1 : source.indexOf(sign, sign.length);
  if (end < 0) return undefined;
  const inside = source.slice(sign.length, end);
  const text = sign === '`' ? inside : inside.replace(/^ | $/g, '');
  return { type: 'codespan', raw: source.slice(0, end + sign.length), text: text.replaceAll('\n', ' ') };
}

/** Makes text of links that goldmark would not have made of addresses. */
function unlinkAddresses(token: Token): void {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    for (const { tokens } of [header, ...rows].flat()) unlinkAmong(tokens);
  } else if ('tokens' in token && token.tokens !== undefined) unlinkAmong(token.tokens);
}

function unlinkAmong(tokens: Token[]): void {
  for (const [index, token] of tokens.entries()) {
    // What stands in `<` and `>`, or has a text of its own, was meant.
    if (token.type !== 'link' || token.raw !== token.text) continue;
    const before = tokens[index - 1]?.raw ?? '';
    if (namedHost.test(token.raw) && /(?:^|[\s*_~(])$/.test(before)) continue;
    tokens[index] = { type: 'text', raw: token.raw, text: token.raw };
  }
}

/** How far ahead the next part is looked for. */
const WINDOW = 1000;

/**
 * Finds where a part of a line may begin. In a long text it looks at the beginning alone and says where it is to be asked
 * again: to look through the rest each time would take the square of the length.
 */
export function startOf(pattern: RegExp): (source: string) => number | undefined {
  return (source) => {
    const head = source.slice(0, WINDOW);
    const index = head.search(pattern);
    const next = index < 0 && source.length > WINDOW ? head.lastIndexOf(' ') : index;
    return next < 0 ? undefined : next;
  };
}

const findFormula = startOf(/\$\$|\\\\[([]/);
const findDollar = startOf(/\$|\\\\[([]/);

/** A formula of a line: no space stands at its ends, and no digit behind it, as they do with prices. */
function readDollars(source: string): Parts | undefined {
  const [raw, text = ''] = /^\$(?![\s$])((?:\\[^\n]|[^$\\\n]){1,500}?)\$(?![\d$])/.exec(source) ?? [];
  return raw === undefined || /\s$/.test(text) || !formulaSign.test(text) ? undefined : { raw, text };
}

function readFormula(source: string): Parts | undefined {
  const [raw, ...texts] = inlineFormula.exec(source) ?? [];
  const text = texts.find((part: string | undefined) => part !== undefined);
  return raw === undefined || text === undefined || !formulaSign.test(text) ? undefined : { raw, text };
}

function formulaHtml(text: string): string {
  const tex = text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<span class="ql-formula" data-value="${tex.replace(/\s+/g, ' ')}"></span>`;
}

interface DefinitionEntry {
  readonly tag: 'dt' | 'dd';
  readonly tokens: readonly Token[];
}

/** Lines of text, each a term, and below them what is said of it, behind a colon; further lines of that are indented. */
function readDefinitions(source: string, { lexer }: TokenizerThis): Tokens.Generic | undefined {
  const entries: DefinitionEntry[] = [];
  let at = 0;
  for (let group = readGroup(source); group !== undefined; group = readGroup(source.slice(at))) {
    for (const term of group.terms) entries.push({ tag: 'dt', tokens: lexer.blockTokens(term, []) });
    for (const text of group.texts) entries.push({ tag: 'dd', tokens: lexer.blockTokens(text, []) });
    at += group.length;
  }
  const parts = entries.map(({ tokens }) => tokens);
  return entries.length === 0 ? undefined : { type: 'definitions', raw: source.slice(0, at), entries, parts };
}

function readGroup(source: string) {
  const terms: string[] = [];
  let at = 0;
  for (let line = termLine.exec(source); line !== null; line = termLine.exec(source.slice(at))) {
    terms.push(line[0]);
    at += line[0].length;
  }
  if (terms.length === 0) return undefined;
  const texts: string[] = [];
  const definition =
    /^(?:[ \t]*\n)? {0,3}:[ \t]+([^\n]*(?:\n(?:[ \t]+\S|(?!:|[ \t]*\n)[^\n])[^\n]*|(?:\n[ \t]*)+\n(?: {2,}|\t)[^\n]+)*)(?:\n[ \t]*)*(?:\n|$)/;
  for (let match = definition.exec(source.slice(at)); match !== null; match = definition.exec(source.slice(at))) {
    texts.push((match[1] ?? '').replace(/\n(?: {1,4}|\t)/g, '\n'));
    at += match[0].length;
  }
  return texts.length === 0 ? undefined : { terms, texts, length: at };
}

/** The ids that a text gives its headings: `## Costs {#costs}`. */
const headingIds = new WeakMap<Tokens.Heading, string>();

/** Takes off blanks at the end of a heading, and the signs that close it. */
function withoutClosingSigns(heading: string): string {
  const ended = heading.trimEnd();
  const bare = ended.replace(/(^|[^#])#+$/, '$1');
  return /\s$/.test(bare) ? bare.trimEnd() : ended;
}

function removeAttributes(heading: Tokens.Heading): void {
  const last = heading.tokens.at(-1);
  if (last?.type !== 'text') return;
  last.text = String(last.text).replace(headingAttributes, (attributes, before: string) => {
    const id = /[{\s]#([\w:.-]+)/.exec(attributes)?.[1];
    if (id !== undefined) headingIds.set(heading, id);
    return before;
  });
}

/** The language of `rust,editable`, `js{1,3}`, `{.python}` and `go {linenos=true}`. */
function languageOf(info: string): string {
  return /^\{?\.?([^\s,{}:;]*)/.exec(info)?.[1] ?? '';
}
