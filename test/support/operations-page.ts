import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';

/** A block of code of a page, and the heading above it. */
export interface CodeBlock {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

/** The parts of a page of documentation, for tests that verify them. */
export interface DocumentPage {
  readonly text: string;
  readonly headings: readonly string[];
  readonly blocks: readonly CodeBlock[];
  /** Pieces of code in sentences and tables. */
  readonly pieces: readonly string[];
  /** Targets of links, as written. */
  readonly links: readonly string[];
  /** The rows of the first table below a heading, cell by cell, without marks of code and links. */
  tableUnder(heading: string): string[][];
}

/** Reads a page of Markdown. */
export function readPage(file: string): DocumentPage {
  const text = readFileSync(file, 'utf8');
  const marked = new Marked();
  const tokens = marked.lexer(text);
  const all: Token[] = [];
  void marked.walkTokens(tokens, (token) => void all.push(token));
  const sections = splitByHeading(tokens);
  return {
    text,
    headings: [...sections.keys()],
    blocks: [...sections].flatMap(([heading, inside]) =>
      inside.filter(isCode).map(({ lang = '', text: code }) => ({ heading, language: lang, text: code })),
    ),
    pieces: all.filter((token): token is Tokens.Codespan => token.type === 'codespan').map((token) => token.text),
    links: all.filter((token): token is Tokens.Link => token.type === 'link').map((token) => token.href),
    tableUnder: (heading) => {
      const table = sections.get(heading)?.find((token): token is Tokens.Table => token.type === 'table');
      if (table === undefined) throw new Error(`${file} has no table below '${heading}'`);
      return table.rows.map((row) => row.map(({ tokens: cell }) => cell.map(plainText).join('')));
    },
  };
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
const plainText = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

function splitByHeading(tokens: readonly Token[]): Map<string, Token[]> {
  const sections = new Map<string, Token[]>();
  let heading = '';
  for (const token of tokens) {
    if (token.type === 'heading') heading = (token as Tokens.Heading).text;
    sections.set(heading, [...(sections.get(heading) ?? []), token]);
  }
  return sections;
}

/** The part of an address that leads to a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** The commands of our own in a shell text, without the words that call the command line. */
export function findCommands(shell: string): string[] {
  const called = /(?:^|&& |\| )(?:site|docker compose exec app node dist\/cli\.js|npm run (?:-s )?cli --) ([^\n&|]+)/gm;
  return [...shell.matchAll(called)].map(([, words = '']) => words.trim());
}
