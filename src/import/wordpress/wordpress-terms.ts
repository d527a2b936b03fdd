import { toPlainText } from '../../posts/content/plain-text.js';
import { slugify } from '../../shared/slug.js';
import type { OldList, SourcePost } from '../source-post.js';
import { metaOf, type WordPressSite } from './wordpress-site.js';
import { textOf, type XmlElement } from './xml-tree.js';

/** Custom fields with the id of the main category. */
const PRIMARY_CATEGORY = ['_yoast_wpseo_primary_category', 'rank_math_primary_category'];

/**
 * Category and tags. A post has one category here: the one that a plugin for search engines was told to be the main one, else the
 * first. The others become tags, so that none is lost.
 */
export function termsOf(
  item: XmlElement,
  site: WordPressSite,
  warnings: string[],
): Pick<SourcePost, 'category' | 'tags'> {
  const categories = namesIn(item, 'category').filter((name) => !isDefaultCategory(name));
  const chosen = PRIMARY_CATEGORY.map((key) => site.categories.get(metaOf(item, key)));
  const category = categories.find((name) => chosen.includes(name)) ?? categories[0] ?? null;
  const others = categories.filter((name) => name !== category);
  if (others.length > 0) {
    warnings.push(`has more than one category: ${others.map((name) => `'${name}'`).join(', ')} became tags`);
  }
  const tags = [...new Set([...namesIn(item, 'post_tag'), ...others])];
  for (const tag of tags) {
    if (tag.includes(',')) warnings.push(`the tag '${tag}' has a comma in it and becomes several`);
  }
  noteOtherTerms(item, warnings);
  noteParents(item, site, warnings);
  return { category, tags: tags.length > 0 ? tags : null };
}

/** The names of those who wrote it, joined by commas; empty when there are none. */
export function authorsOf(item: XmlElement, site: WordPressSite, warnings: string[]): string {
  const coAuthors = item.children.filter((child) => isTerm(child, 'author'));
  const names = coAuthors.map(
    (child) => toPlainText(child.text) || nameOf(child.attributes.get('nicename') ?? '', site),
  );
  if (names.length === 0) names.push(nameOf(textOf(item, 'dc:creator'), site));
  return [...new Set(names)]
    .map((name) => withoutAddress(name, warnings))
    .filter(Boolean)
    .join(', ');
}

/**
 * The lists in which a post stood, at the addresses that WordPress gives them: below its folder, and below what stands first in the addresses of all
 * posts. A base that somebody chose for categories or tags is not in the file.
 * @param author as the post has it here
 */
export function listsOf(item: XmlElement, author: string, site: WordPressSite): OldList[] {
  const [front = ''] = site.fronts.size === 1 ? site.fronts : [];
  const folders = front === '' ? [folderOf(site)] : [folderOf(site), `${folderOf(site)}/${front}`];
  const lists = item.children.flatMap((child): OldList[] => {
    const slug = child.attributes.get('nicename') ?? '';
    const name = toPlainText(child.text) || slug;
    if (slug === '') return [];
    if (isTerm(child, 'post_tag')) return [{ path: `/tag/${slug}/`, kind: 'tag', name }];
    if (!isTerm(child, 'category')) return [];
    const paths = new Set([`/category/${slug}/`, `/category/${[...parentsOf(slug, site), slug].join('/')}/`]);
    return [...paths].map((path) => ({ path, kind: 'category', name }));
  });
  const coAuthors = item.children.filter((child) => isTerm(child, 'author'));
  const login = coAuthors.length > 0 ? (coAuthors[0]?.attributes.get('nicename') ?? '') : textOf(item, 'dc:creator');
  const writer = slugify(login);
  if (coAuthors.length <= 1 && writer !== '') lists.push({ path: `/author/${writer}/`, kind: 'author', name: author });
  return folders.flatMap((folder) => lists.map((list) => ({ ...list, path: folder + list.path })));
}

/** The folder of the site at its address, without a slash at its end. */
export function folderOf({ address }: Pick<WordPressSite, 'address'>): string {
  return URL.canParse(address) ? new URL(address).pathname.replace(/\/+$/, '') : '';
}

/** The categories above one, the highest first; a circle ends. */
function parentsOf(slug: string, { parents }: WordPressSite): string[] {
  const above: string[] = [];
  for (let parent = parents.get(slug); parent !== undefined && !above.includes(parent); parent = parents.get(parent)) {
    above.unshift(parent);
  }
  return above;
}

/** The language that Polylang and its kin give an item. */
export function languageOf(item: XmlElement): string | undefined {
  return item.children.find((child) => isTerm(child, 'language'))?.attributes.get('nicename');
}

function nameOf(login: string, site: WordPressSite): string {
  return toPlainText(site.authors.get(login) ?? login);
}

/** Shortens a name that is an email address: its owner did not mean to publish it. */
function withoutAddress(name: string, warnings: string[]): string {
  const local = /^([^\s@]+)@[^\s@]+\.[^\s@]+$/.exec(name)?.[1];
  if (local === undefined) return name;
  warnings.push(
    `the file has no name for the author ${name}: named '${local}', as nobody's address should be published`,
  );
  return local;
}

function noteOtherTerms(item: XmlElement, warnings: string[]): void {
  for (const child of item.children) {
    const domain = child.attributes.get('domain') ?? '';
    if (child.name !== 'category' || /^(?:category|post_tag|author|language|)$/.test(domain)) continue;
    const name = toPlainText(child.text) || child.attributes.get('nicename');
    warnings.push(`'${name}' (${domain}) is neither a category nor a tag and was not taken`);
  }
}

/** Categories stand beside each other here. */
function noteParents(item: XmlElement, site: WordPressSite, warnings: string[]): void {
  const slugs = item.children.flatMap((child) =>
    isTerm(child, 'category') ? (child.attributes.get('nicename') ?? []) : [],
  );
  for (const slug of new Set(slugs)) {
    const above = parentsOf(slug, site);
    if (above.length > 0) warnings.push(`the categories above its own were not taken: ${[...above, slug].join(' > ')}`);
  }
}

function namesIn(item: XmlElement, domain: string): string[] {
  const terms = item.children.filter((child) => isTerm(child, domain));
  const names = terms.map((term) => toPlainText(term.text) || (term.attributes.get('nicename') ?? ''));
  return [...new Set(names.filter(Boolean))];
}

function isTerm(element: XmlElement, domain: string): boolean {
  return element.name === 'category' && (element.attributes.get('domain') ?? 'category') === domain;
}

/** Returns true for the category of posts that nobody has filed. */
function isDefaultCategory(name: string): boolean {
  return /^uncategori[sz]ed$/i.test(name);
}
