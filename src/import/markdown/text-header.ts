import type { FrontMatter } from './front-matter-values.js';

const line = /^([A-Za-z][\w-]{0,40}):(?:[ \t]+([^\n]*))?$/;
/** Fields of which a text has at least one beside its title, so that a sentence with a colon is none. */
const usual = ['date', 'modified', 'category', 'tags', 'slug', 'author', 'authors', 'summary', 'status', 'lang'];
const MAX_LINES = 100;

/**
 * Reads the lines in front of a text of Pelican and others, `Title: A post`, up to the first empty one; further lines of a value are
 * indented. Null for a text without them.
 */
export function readTextHeader(text: string): { readonly frontMatter: FrontMatter; readonly body: string } | null {
  const lines = text.replace(/^(?:[ \t]*\n)+/, '').split('\n', MAX_LINES);
  const values = new Map<string, string>();
  let last = '';
  let length = 0;
  for (const written of lines) {
    length += written.length + 1;
    if (written.trim() === '') break;
    const [found, name = '', value = ''] = line.exec(written) ?? [];
    if (found !== undefined) {
      last = name.toLowerCase();
      values.set(last, value.trim());
    } else if (last !== '' && /^(?: {4}|\t)/.test(written)) values.set(last, `${values.get(last)} ${written.trim()}`);
    else return null;
  }
  if (!values.has('title') || !usual.some((name) => values.has(name))) return null;
  const empty = /^(?:[ \t]*\n)+/.exec(text)?.[0].length ?? 0;
  // Pelican says by these words that a link leads to a file of the site.
  const body = text.slice(empty + length).replace(/(\]\(|\]:[ \t]+|="|=')[{|](?:filename|static|attach)[}|]/g, '$1');
  return { frontMatter: Object.fromEntries(values), body };
}
