import { metasOf } from './wordpress-site.js';
import { textOf, type XmlElement } from './xml-tree.js';

/** Far more than a post has; each is a redirect here. */
const MAX_FORMER = 50;
const dated = /^((?:\/[^/]+)*?)\/\d{4}\/\d{2}(\/\d{2})?(\/.*)$/;

/**
 * Returns the other addresses that WordPress leads to a post: those with its former names and dates, which it keeps in custom fields, and
 * those of the further pages of its text.
 */
export function formerPathsOf(item: XmlElement, link: URL | null): string[] {
  if (link === null || link.pathname === '/' || /[?&](?:p|page_id)=/.test(link.search)) return [];
  const own = link.pathname;
  const paths = new Set<string>();
  const pages = textOf(item, 'content:encoded').split('<!--nextpage-->').length;
  for (let page = 2; page <= Math.min(pages, MAX_FORMER); page += 1) paths.add(`${own.replace(/\/+$/, '')}/${page}/`);
  const named = [own, ...metasOf(item, '_wp_old_slug').flatMap((slug) => withName(own, slug))];
  const dates = metasOf(item, '_wp_old_date');
  for (const path of named) {
    paths.add(path);
    for (const date of dates) for (const other of withDate(path, date)) paths.add(other);
  }
  paths.delete(own);
  return [...paths].slice(0, MAX_FORMER);
}

function withName(path: string, name: string): string[] {
  // One that looks like no name of a page would be a redirect of something else.
  if (name === '' || /[/?#\s]/.test(name)) return [];
  return [path.replace(/[^/]+(\/*)$/, (_name, end: string) => encode(name) + end)];
}

/** WordPress keeps names encoded. */
function encode(name: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(name));
  } catch {
    return encodeURIComponent(name);
  }
}

function withDate(path: string, date: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const [, front = '', ownDay, rest] = dated.exec(path) ?? [];
  if (year === undefined || month === undefined || day === undefined || rest === undefined) return [];
  return [`${front}/${year}/${month}${ownDay === undefined ? '' : `/${day}`}${rest}`];
}
