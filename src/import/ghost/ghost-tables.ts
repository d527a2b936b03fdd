/** The rows to which posts refer, by the ids of Ghost's tables: few, however many posts there are. */
export interface GhostTables {
  /** False if the file breaks off, so that rows may be missing. */
  isComplete: boolean;
  /** Address of the site; empty when the settings do not say. */
  address: string;
  /** Ids of posts that no page shows. */
  readonly emailOnly: Set<string>;
  /** Names by id. */
  readonly users: Map<string, string>;
  readonly tags: Map<string, { readonly name: string; readonly isInternal: boolean }>;
  /** Ids by the id of the post, with the place that each has. */
  readonly postTags: Map<string, Ordered[]>;
  readonly postAuthors: Map<string, Ordered[]>;
  /** By the id of the post. */
  readonly images: Map<string, { readonly alt: string | null; readonly caption: string | null }>;
}

interface Ordered {
  readonly id: string;
  readonly order: number;
}

export const smallTables: ReadonlySet<unknown> = new Set([
  'users',
  'tags',
  'posts_tags',
  'posts_authors',
  'posts_meta',
  'settings',
]);

export function emptyTables(): GhostTables {
  return {
    isComplete: true,
    address: '',
    emailOnly: new Set(),
    users: new Map(),
    tags: new Map(),
    postTags: new Map(),
    postAuthors: new Map(),
    images: new Map(),
  };
}

/** Remembers a row of one of {@link smallTables}; what is no such row is passed over. */
export function addRow(tables: GhostTables, table: string, row: unknown): void {
  if (typeof row !== 'object' || row === null) return;
  const values = new Map<string, unknown>(Object.entries(row));
  const id = idOf(values.get('id'));
  const post = idOf(values.get('post_id'));
  if (table === 'users') {
    const name = textOf(values.get('name'));
    if (name !== null) tables.users.set(id, name);
  } else if (table === 'tags') {
    const name = textOf(values.get('name'));
    const isInternal = values.get('visibility') === 'internal' || name?.startsWith('#') === true;
    if (name !== null) tables.tags.set(id, { name, isInternal });
  } else if (table === 'settings') {
    const value = textOf(values.get('value'));
    if (/^(?:url|site_url|siteUrl|ghost_url)$/.test(String(values.get('key'))) && value !== null)
      tables.address = value;
  } else if (table === 'posts_meta') {
    if (values.get('email_only') === true || values.get('email_only') === 1) tables.emailOnly.add(post);
    const alt = textOf(values.get('feature_image_alt'));
    const caption = textOf(values.get('feature_image_caption'));
    if (alt !== null || caption !== null) tables.images.set(post, { alt, caption });
  } else {
    const map = table === 'posts_tags' ? tables.postTags : tables.postAuthors;
    const other = idOf(values.get(table === 'posts_tags' ? 'tag_id' : 'author_id'));
    const list = map.get(post) ?? [];
    list.push({ id: other, order: Number(values.get('sort_order') ?? 0) || 0 });
    map.set(post, list);
  }
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
