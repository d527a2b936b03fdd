import { toPlainText } from '../../posts/content/plain-text.js';
import { slugify } from '../../shared/slug.js';
import { findMoved } from '../heading-places.js';
import { toAddressKey } from '../markdown/inner-links.js';
import type { ReaderSettings } from '../source-bytes.js';

/** Stands for the site's own address in exports; the text after it begins with a slash. */
const SITE_MARK = '__GHOST_URL__';

/** The rows to which posts refer, by the ids of Ghost's tables: few, however many posts there are. */
export interface GhostTables {
  /** False if the file breaks off, so that rows may be missing. */
  isComplete: boolean;
  /** How many tags that readers see and authors say something about themselves. */
  described: number;
  /** Address of the site; empty when the settings do not say. */
  address: string;
  /** The moment at which the file was written; undefined when it does not say. */
  exportedAt: Date | undefined;
  /** Ids of posts that no page shows. */
  readonly emailOnly: Set<string>;
  /** By id, with their names in addresses. */
  readonly users: Map<string, { readonly name: string; readonly slug: string }>;
  readonly tags: Map<string, { readonly name: string; readonly slug: string; readonly isInternal: boolean }>;
  /** Ids by the id of the post, with the place that each has. */
  readonly postTags: Map<string, Ordered[]>;
  readonly postAuthors: Map<string, Ordered[]>;
  /** By the id of the post. */
  readonly meta: Map<string, PostMeta>;
  /** The slugs that posts have there and here, by where they were (`toAddressKey`). */
  readonly slugs: Map<string, string>;
  /** Ids of headings here by those there, where they differ, by the slugs that posts get here. */
  readonly places: Map<string, ReadonlyMap<string, string>>;
}

/** Texts of a post that Ghost keeps in a table beside it; old exports have some of them with the post. */
export interface PostMeta {
  /** Alternative text of the featured image. */
  readonly alt: string | null;
  /** Caption of the featured image, without markup. */
  readonly caption: string | null;
  readonly seoTitle: string | null;
  readonly seoDescription: string | null;
  readonly socialImage: string | null;
  /** The picture of previews on X, where that is another one; posts here have one for all. */
  readonly otherImage: string | null;
  /** The words of previews of links; posts here have none for these alone. */
  readonly previews: readonly string[];
}

type AddressSettings = Pick<ReaderSettings, 'pages' | 'slugOf'>;

interface Ordered {
  readonly id: string;
  readonly order: number;
}

export const smallTables: ReadonlySet<unknown> = new Set([
  'meta',
  'users',
  'tags',
  'posts_tags',
  'posts_authors',
  'posts_meta',
  'settings',
  'posts',
]);

export function emptyTables(): GhostTables {
  return {
    isComplete: true,
    described: 0,
    address: '',
    exportedAt: undefined,
    emailOnly: new Set(),
    users: new Map(),
    tags: new Map(),
    postTags: new Map(),
    postAuthors: new Map(),
    meta: new Map(),
    slugs: new Map(),
    places: new Map(),
  };
}

/** Remembers a row of one of {@link smallTables}; what is no such row is passed over. */
export function addRow(tables: GhostTables, table: string, row: unknown, settings: AddressSettings = {}): void {
  if (typeof row !== 'object' || row === null) return;
  const values = new Map<string, unknown>(Object.entries(row));
  const id = idOf(values.get('id'));
  const post = idOf(values.get('post_id'));
  const slug = textOf(values.get('slug')) ?? '';
  if (table === 'meta') {
    const moment = Number(values.get('exported_on'));
    if (moment > 0 && moment < 8.64e15) tables.exportedAt = new Date(moment);
  } else if (table === 'users') {
    const name = textOf(values.get('name'));
    if (name !== null) tables.users.set(id, { name, slug });
    if (textOf(values.get('bio')) !== null) tables.described += 1;
  } else if (table === 'tags') {
    const name = textOf(values.get('name'));
    const isInternal = values.get('visibility') === 'internal' || name?.startsWith('#') === true;
    if (name !== null) tables.tags.set(id, { name, slug, isInternal });
    if (!isInternal && textOf(values.get('description')) !== null) tables.described += 1;
  } else if (table === 'settings') {
    const value = textOf(values.get('value'));
    if (/^(?:url|site_url|siteUrl|ghost_url)$/.test(String(values.get('key'))) && value !== null)
      tables.address = value;
  } else if (table === 'posts') {
    addAddress(tables, values, settings);
  } else if (table === 'posts_meta') {
    if (/^(?:true|1)$/.test(String(values.get('email_only')))) tables.emailOnly.add(post);
    const meta = readPostMeta(values);
    if (
      Object.values(meta)
        .flat()
        .some((value) => value !== null)
    )
      tables.meta.set(post, meta);
  } else {
    const map = table === 'posts_tags' ? tables.postTags : tables.postAuthors;
    const other = idOf(values.get(table === 'posts_tags' ? 'tag_id' : 'author_id'));
    const list = map.get(post) ?? [];
    list.push({ id: other, order: Number(values.get('sort_order') ?? 0) || 0 });
    map.set(post, list);
  }
}

/** Remembers where a post was, for links to it, and a page if they are taken. */
function addAddress(tables: GhostTables, row: ReadonlyMap<string, unknown>, { pages, slugOf }: AddressSettings): void {
  const written = textOf(row.get('slug')) ?? '';
  const own = slugify(written) || slugify(textOf(row.get('title')) ?? '');
  if (written === '' || own === '' || (isPage(row) && pages === undefined)) return;
  const key = toAddressKey(`/${written}`);
  // A part of a long text keeps all of that text in memory; a copy of it does not.
  const slug = Buffer.from(slugOf?.({ slug: own, file: '', folder: '' }) ?? own).toString();
  if (!tables.slugs.has(key)) tables.slugs.set(Buffer.from(key).toString(), slug);
  const html = row.get('html');
  const moved = typeof html === 'string' ? findMoved(html) : null;
  if (moved !== null && !tables.places.has(slug)) tables.places.set(slug, moved);
}

/** Returns true for a row of posts that is a page; old exports have a column for it. */
export function isPage(row: ReadonlyMap<string, unknown>): boolean {
  return row.get('type') === 'page' || row.get('page') === true || row.get('page') === 1;
}

/** Reads these columns, which are in rows of `posts_meta`, and in those of posts in old exports. */
export function readPostMeta(row: ReadonlyMap<string, unknown>): PostMeta {
  const caption = row.get('feature_image_caption');
  const [socialImage, ofTwitter] = ['og_image', 'twitter_image'].map((name) => textOf(withoutMark(row.get(name))));
  return {
    alt: textOf(row.get('feature_image_alt')),
    caption: textOf(typeof caption === 'string' ? toPlainText(caption) : null),
    seoTitle: textOf(row.get('meta_title')),
    seoDescription: textOf(row.get('meta_description')),
    socialImage: socialImage ?? ofTwitter ?? null,
    otherImage: ofTwitter === (socialImage ?? ofTwitter) ? null : (ofTwitter ?? null),
    previews: ['og_title', 'og_description', 'twitter_title', 'twitter_description'].flatMap(
      (name) => textOf(row.get(name)) ?? [],
    ),
  };
}

/** A cell without the mark of the site's address. Numbers, lists and so on stay what they are. */
export function withoutMark(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replaceAll(SITE_MARK, '') : cell;
}

/** The ids that belong to a post, in their order. */
export function idsOf(map: ReadonlyMap<string, readonly Ordered[]>, post: string): string[] {
  return [...(map.get(post) ?? [])].sort((a, b) => a.order - b.order).map(({ id }) => id);
}

/** Ids are texts, numbers in old exports. */
export function idOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : '';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim().slice(0, 2000) : null;
}
