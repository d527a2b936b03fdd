import { toPlainText } from '../../posts/content/plain-text.js';
import { toAddressKey } from '../markdown/inner-links.js';
import { childOf, textOf, type XmlElement } from './xml-tree.js';

/** A file of the old site's media library. */
export interface WordPressAttachment {
  readonly id: string;
  readonly address: string;
  readonly alt: string | null;
  /** Its name in the library. */
  readonly title: string;
  /** Without markup. */
  readonly caption: string | null;
  /** With its markup, unchecked. */
  readonly captionHtml: string;
  /** The post that it was uploaded for; '0' or empty for none. */
  readonly parent: string;
  /** Its place among the files of its post. */
  readonly order: number;
}

/** A post that gets a slug when all others are known. */
export interface UnsettledPost {
  readonly id: string;
  readonly slug: string;
  /** A slug as the operator wants it. */
  readonly chosen: (slug: string) => string;
  /** Remembers where the post is. */
  readonly add: (slug: string) => void;
}

/** The facts that items of an export need from each other: few, however many items there are. */
export interface WordPressSite {
  /** Address of the blog, without a slash at its end; empty when the export does not say. */
  address: string;
  /** Its name and its tagline, as readers see them; empty when the export does not say. */
  name: string;
  tagline: string;
  /** The moment at which the file was written; undefined when it does not say. */
  exportedAt: Date | undefined;
  /** The program that wrote the file. */
  generator: string;
  /** The names that readers see, by login. */
  readonly authors: Map<string, string>;
  /** By id. */
  readonly attachments: Map<string, WordPressAttachment>;
  /** The addresses of the pages of attachments (`toPageKey`), each of which shows its file. */
  readonly attachmentPages: Set<string>;
  /** The texts of reusable blocks, which posts show by their id. */
  readonly blocks: Map<string, string>;
  /** Parents of categories, both as they stand in addresses. */
  readonly parents: Map<string, string>;
  /** The categories and tags that have a description; each file of an export has them all. */
  readonly described: Set<string>;
  /** First parts of the addresses of posts: one that all have stands before those of lists as well. */
  readonly fronts: Set<string>;
  /** Names of categories by id, for plugins that choose one. */
  readonly categories: Map<string, string>;
  /** The slugs that posts get here, by where they were (`toAddressKey`). */
  readonly slugs: Map<string, string>;
  /** Posts by where they were before, under another name or at another date, as far as they say so (`toAddressKey`). */
  readonly former: Map<string, { readonly id: string; readonly slug: string }>;
  /** Ids of posts by the slugs that they get here, as the operator wants them. */
  readonly taken: Map<string, string>;
  /** Posts whose letters from a to z may not tell them from others: settled when all are known. */
  readonly unsettled: UnsettledPost[];
  /** Slugs with their number, by the ids of posts, where another post has the one without. */
  readonly numbered: Map<string, string>;
  /** Ids of headings here by those there, where they differ, by the slugs that posts get here. */
  readonly places: Map<string, ReadonlyMap<string, string>>;
}

export function emptySite(): WordPressSite {
  return {
    address: '',
    name: '',
    tagline: '',
    generator: '',
    exportedAt: undefined,
    authors: new Map(),
    attachments: new Map(),
    attachmentPages: new Set(),
    blocks: new Map(),
    categories: new Map(),
    parents: new Map(),
    described: new Set(),
    fronts: new Set(),
    slugs: new Map(),
    former: new Map(),
    taken: new Map(),
    unsettled: [],
    numbered: new Map(),
    places: new Map(),
  };
}

/** Takes what is said before the first item. */
export function addHead(site: WordPressSite, rss: XmlElement): void {
  const channel = childOf(rss, 'channel') ?? rss;
  const addresses = ['wp:base_blog_url', 'link', 'wp:base_site_url'].map((name) => textOf(channel, name));
  site.address = (addresses.find((address) => URL.canParse(address)) ?? '').replace(/\/+$/, '');
  site.name = toPlainText(textOf(channel, 'title'));
  site.tagline = toPlainText(textOf(channel, 'description'));
  site.generator = textOf(channel, 'generator');
  site.exportedAt = readFeedDate(textOf(channel, 'pubDate'));
  const descriptions = { 'wp:category': 'wp:category_description', 'wp:tag': 'wp:tag_description' };
  for (const [name, description] of Object.entries(descriptions)) {
    const terms = channel.children.filter((term) => term.name === name && textOf(term, description).trim() !== '');
    for (const term of terms) site.described.add(`${name} ${textOf(term, 'wp:term_id')}`);
  }
  for (const category of channel.children) {
    if (category.name !== 'wp:category') continue;
    site.categories.set(textOf(category, 'wp:term_id'), toPlainText(textOf(category, 'wp:cat_name')));
    const parent = textOf(category, 'wp:category_parent');
    if (parent !== '') site.parents.set(textOf(category, 'wp:category_nicename'), parent);
  }
  for (const author of channel.children) {
    if (author.name !== 'wp:author') continue;
    const name = textOf(author, 'wp:author_display_name');
    if (name !== '') site.authors.set(textOf(author, 'wp:author_login'), name);
  }
}

const rfc822 = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT)$/;

/** A date as feeds write it; undefined for any other text. */
export function readFeedDate(text: string): Date | undefined {
  return rfc822.test(text) ? new Date(text) : undefined;
}

/** Gives posts their number that would have the slug of another one. */
export function settleSlugs(site: WordPressSite): void {
  for (const { id, slug, chosen, add } of site.unsettled.splice(0)) {
    const isTaken = (site.taken.get(chosen(slug)) ?? id) !== id;
    if (isTaken) site.numbered.set(id, `${slug}-${id}`);
    add(isTaken ? `${slug}-${id}` : slug);
  }
}

/** Remembers an item if it is a file that a post can show. */
export function addAttachment(site: WordPressSite, item: XmlElement): void {
  const id = textOf(item, 'wp:post_id');
  const address = textOf(item, 'wp:attachment_url');
  if (textOf(item, 'wp:post_type') !== 'attachment' || id === '' || address === '') return;
  const alt = metaOf(item, '_wp_attachment_image_alt') || null;
  const captionHtml = textOf(item, 'excerpt:encoded');
  const caption = toPlainText(captionHtml) || null;
  const parent = detach(textOf(item, 'wp:post_parent'));
  site.attachments.set(detach(id), {
    id: detach(id),
    address: detach(address),
    alt: alt && detach(alt),
    title: detach(toPlainText(textOf(item, 'title'))),
    caption: caption && detach(caption),
    captionHtml: detach(captionHtml),
    parent,
    order: Number(textOf(item, 'wp:menu_order')) || 0,
  });
  const page = textOf(item, 'link');
  if (URL.canParse(page)) site.attachmentPages.add(detach(toPageKey(new URL(page))));
}

/** Tells the page of an attachment from others; that of a file of a draft differs from the home page in its number alone. */
export function toPageKey(url: URL): string {
  const id = url.searchParams.get('attachment_id');
  return id === null ? toAddressKey(url.pathname) : `?attachment_id=${id}`;
}

/** Remembers a reusable block, which stands in posts by its id alone. Readers see those that are published. */
export function addBlock(site: WordPressSite, item: XmlElement): void {
  const isShown = textOf(item, 'wp:status') === 'publish' && textOf(item, 'wp:post_password') === '';
  if (textOf(item, 'wp:post_type') !== 'wp_block' || !isShown) return;
  site.blocks.set(detach(textOf(item, 'wp:post_id')), detach(textOf(item, 'content:encoded')));
}

/** The first value of a custom field; empty when there is none. */
export function metaOf(item: XmlElement, key: string): string {
  return metasOf(item, key)[0] ?? '';
}

/** All values of a custom field. */
export function metasOf(item: XmlElement, key: string): string[] {
  const metas = item.children.filter((child) => child.name === 'wp:postmeta' && textOf(child, 'wp:meta_key') === key);
  return metas.map((meta) => textOf(meta, 'wp:meta_value'));
}

/** A part of a long text keeps all of that text in memory; a copy of it does not. */
function detach(part: string): string {
  return Buffer.from(part).toString();
}
