import { posix } from 'node:path';
import { escapeHtml, unescapeHtml } from '../html-text.js';

const anchor = /(<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?href\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi;
const endings = ['.md', '.mdx', '.markdown'];
const MAX_NAMED = 5;

/**
 * Leads links to files of the source (`./other.md#part`, `../guide/`, `/guide/other.html`) to where the posts of these files are. Links to
 * Markdown that is no post here are named.
 * @param file the one with the links, relative to the root
 * @param files all of the source
 * @param addressOf the address here of the post of a file; null for one that is none
 */
export async function leadFilesOn(
  html: string,
  file: string,
  files: ReadonlySet<string>,
  addressOf: (file: string) => Promise<string | null>,
  warnings: string[],
): Promise<string> {
  const addresses = new Map<string, string | null>();
  const hrefs = [...html.matchAll(anchor)].map(([, , quoted, single]) => unescapeHtml(quoted ?? single ?? ''));
  for (const href of new Set(hrefs)) {
    const target = findFile(href, file, files);
    if (target !== null) addresses.set(href, await addressOf(target));
    else if (isMarkdown(href)) addresses.set(href, null);
  }
  if (addresses.size === 0) return html;
  const left = [...addresses].filter(([href, address]) => address === null && isMarkdown(href)).map(([href]) => href);
  if (left.length > 0) {
    const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
    warnings.push(`leads to files that are no posts here: ${left.slice(0, MAX_NAMED).join(', ')}${more}`);
  }
  return html.replace(anchor, (written, before: string, quoted?: string, single?: string) => {
    const href = unescapeHtml(quoted ?? single ?? '');
    const address = addresses.get(href) ?? null;
    return address === null ? written : `${before}"${escapeHtml(address + (/#.*$/s.exec(href)?.[0] ?? ''))}"`;
  });
}

function isMarkdown(href: string): boolean {
  return /^(?![a-z][a-z0-9+.-]*:|\/\/)[^?#]+\.(?:mdx?|markdown)(?:[?#]|$)/i.test(href);
}

function findFile(href: string, file: string, files: ReadonlySet<string>): string | null {
  if (href === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|[?#])/i.test(href)) return null;
  const written = decode(href.replace(/[?#].*$/s, ''));
  const path = posix.normalize(written.startsWith('/') ? written.slice(1) : posix.join(posix.dirname(file), written));
  if (path.startsWith('..')) return null;
  const base = path.replace(/\/+$/, '').replace(/\.(?:html?|mdx?|markdown)$/i, '');
  const names = [base, posix.join(base, 'index'), posix.join(base, 'README')];
  const candidates = [path, ...names.flatMap((name) => endings.map((ending) => name + ending))];
  return candidates.find((name) => files.has(name)) ?? null;
}

/** An invalid code stays. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
