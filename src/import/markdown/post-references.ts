import { posix } from 'node:path';

const patterns = [
  /\{%-?\s{0,9}(?:post_url|link)\s{1,9}([^\s%]{1,500})\s{0,9}-?%\}/g,
  /\{%-?\s{0,9}post_link\s{1,9}["']?([^\s%"']{1,500})/g,
  /\{\{[<%]\s{0,9}(?:rel)?ref\s{1,9}(?:path=)?["`]?([^\s"`<>%]{1,500})["`]?[^{}]{0,200}[>%]\}\}/g,
  /\]\(@\/([^)\s]{1,500})\)/g,
  /^ {0,3}\[[^\]\n]{1,500}\]:[ \t]{1,9}@\/(\S{1,500})/gm,
];

/** The posts that a text names by the names of their files, as Jekyll, Hugo and Zola let it. */
export function findReferences(markdown: string): string[] {
  if (!/\{%|\{\{|\](?:\(|:[ \t]+)@\//.test(markdown)) return [];
  const found = patterns.flatMap((pattern) => [...markdown.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].slice(0, 1000);
}

/** The address that a tag of Jekyll stands for (`{% post_url name %}`); null for other tags, and posts that are not there. */
export function resolveReferenceTag(tag: string, addressOf: (reference: string) => string | null): string | null {
  const name = /^\{%-?\s{0,9}(?:post_url|link)\s{1,9}([^\s%]{1,500})\s{0,9}-?%\}$/.exec(tag)?.[1];
  return name === undefined ? null : addressOf(name);
}

/** Finds the file that a reference means, if it is the only one that it can mean. */
export class FileNames {
  private readonly byName = new Map<string, string[]>();

  /** @param files paths relative to the root, with `/` */
  constructor(files: readonly string[]) {
    for (const file of files) {
      const name = lastName(file);
      this.byName.set(name, [...(this.byName.get(name) ?? []), file]);
    }
  }

  find(reference: string): string | null {
    const path = reference.replace(/[#?].*$/, '').replace(/^\/+|\/+$/g, '');
    const named = this.byName.get(lastName(path)) ?? [];
    const ending = `/${withoutEnding(path)}`;
    const fitting = named.filter((file) => `/${withoutEnding(file)}`.endsWith(ending));
    const [first] = fitting.length > 0 ? fitting : named;
    return first !== undefined && (fitting.length === 1 || named.length === 1) ? first : null;
  }
}

function withoutEnding(path: string): string {
  return path
    .normalize('NFC')
    .replace(/\.(?:md|markdown|mkdn?|mdown|mdwn|mdx|html?)$/i, '')
    .replace(/\/index$/, '');
}

function lastName(path: string): string {
  return posix.basename(withoutEnding(path));
}
