import { posix } from 'node:path';
import { decodeEscapes } from '../../shared/decode-escapes.js';
import { escapeHtml, unescapeHtml } from '../html-text.js';

const anchor = /(<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?href\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;
const endings = ['.md', '.mdx', '.markdown'];
const MAX_NAMED = 5;

/** The addresses here of the posts to whose files a text links, by the links as they are written; null for files that are none. */
export type FileLinks = ReadonlyMap<string, string | null>;

/**
 * Finds the links to files of the source: `./other.md#part`, `../guide/`, `/guide/other.html`. Those to Markdown are among them, whatever
 * they lead to.
 * @param file the one with the links, relative to the root
 * @param files all of the source
 * @param addressOf the address here of the post of a file; null for one that is none
 */
export async function findFileLinks(
  html: string,
  file: string,
  files: ReadonlySet<string>,
  addressOf: (file: string) => Promise<string | null>,
): Promise<FileLinks> {
  const links = new Map<string, string | null>();
  const hrefs = [...html.matchAll(anchor)].map(([, , quoted, single, bare]) =>
    unescapeHtml(quoted ?? single ?? bare ?? ''),
  );
  for (const href of new Set(hrefs)) {
    const target = findFile(href, file, files);
    const address = target === null ? null : await addressOf(target);
    if (address !== null || isMarkdown(href)) links.set(href, address);
  }
  return links;
}

/** Leads links to files on to where the posts of these files are. Links to Markdown that is no post here are named. */
export function leadFilesOn(html: string, links: FileLinks, warnings: string[]): string {
  if (links.size === 0) return html;
  const left = new Set<string>();
  const text = html.replace(anchor, (written, before: string, quoted?: string, single?: string, bare?: string) => {
    const href = unescapeHtml(quoted ?? single ?? bare ?? '');
    const address = links.get(href);
    if (address === null) left.add(href);
    return address == null ? written : `${before}"${escapeHtml(address + (/#.*$/s.exec(href)?.[0] ?? ''))}"`;
  });
  if (left.size > 0) {
    const more = left.size > MAX_NAMED ? ` and ${left.size - MAX_NAMED} more` : '';
    warnings.push(`leads to files that are no posts here: ${[...left].slice(0, MAX_NAMED).join(', ')}${more}`);
  }
  return text;
}

function isMarkdown(href: string): boolean {
  return /^(?![a-z][a-z0-9+.-]*:|\/\/)[^?#]+\.(?:mdx?|markdown)(?:[?#]|$)/i.test(href);
}

function findFile(href: string, file: string, files: ReadonlySet<string>): string | null {
  if (href === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|[?#])/i.test(href)) return null;
  const written = decodeEscapes(href.replace(/[?#].*$/s, ''));
  const path = posix.normalize(written.startsWith('/') ? written.slice(1) : posix.join(posix.dirname(file), written));
  if (path.startsWith('..')) return null;
  const base = path.replace(/\/+$/, '').replace(/\.(?:html?|mdx?|markdown)$/i, '');
  const names = [base, posix.join(base, 'index'), posix.join(base, 'README')];
  const candidates = [path, ...names.flatMap((name) => endings.map((ending) => name + ending))];
  // Copies of a folder may spell accents otherwise than its texts.
  const spelled = candidates.flatMap((name) => [name, name.normalize('NFC'), name.normalize('NFD')]);
  return spelled.find((name) => files.has(name)) ?? null;
}
