import { createHash } from 'node:crypto';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';
import type { StoredPostForm } from '../shared/contracts/admin-posts.js';
import { postColumns } from './post-columns.js';

/** Edits that were kept without being saved. */
export interface UnsavedEdits {
  /** As they were typed, but for the text, which is sanitized. */
  readonly fields: StoredPostForm & {
    /** The date that the post had, written by the release before or for it. */
    readonly published_date?: string | null;
  };
  /**
   * True when the post was public at the time of the autosave. Nothing reads it, because a publication is a decision of
   * its own (decision 32). The release before needs it and may run beside this one. Copies that it wrote hold the
   * switch of their form instead.
   */
  readonly is_published: boolean;
  /**
   * A date that was typed in a tab of the release before, and not saved; null when there is none. That release does not
   * write it: then the date among its fields may be one.
   */
  readonly unsaved_date?: { readonly date: string | null } | null;
}

const inList = 'deleted_at is null';

/** Another expression is another index: migrations are made of names, so a new text field has to change the name. */
const SEARCH_INDEX = `blog_posts_search_${fingerprint(SEARCH_TEXTS.posts)}`;
const CONTENTS_INDEX = `blog_posts_contents_${fingerprint(SEARCH_TEXTS.postContents)}`;

function fingerprint(expression: string): string {
  return createHash('sha256').update(expression).digest('hex').slice(0, 8);
}

/**
 * A blog post: table `blog_posts` (product.md 3.1), with what conflict checks, planning, the trash and
 * imports need. Whoever writes it sets `updatedAt`, which readers see: edits that are only kept leave it alone.
 */
export const Post = defineEntity({
  name: 'Post',
  tableName: 'blog_posts',
  indexes: [
    { properties: ['isPublished', 'publishedDate'] },
    // The orders and filters of the list of administrators, which is read in parts.
    { name: 'blog_posts_list_created', properties: ['createdAt', 'id'], where: inList },
    { name: 'blog_posts_list_updated', properties: ['updatedAt', 'id'], where: inList },
    { name: 'blog_posts_list_published', properties: ['publishedDate', 'id'], where: inList },
    { name: 'blog_posts_list_category', properties: ['category', 'createdAt', 'id'], where: inList },
    { name: 'blog_posts_list_unpublished', properties: ['createdAt', 'id'], where: `${inList} and not is_published` },
    {
      name: 'blog_posts_list_title',
      expression: `create index "blog_posts_list_title" on "blog_posts" (lower(title), id) where deleted_at is null`,
    },
    { name: 'blog_posts_list_owner', properties: ['owner', 'createdAt', 'id'], where: 'owner_id is not null' },
    { name: 'blog_posts_trash', properties: ['deletedAt', 'id'], where: 'deleted_at is not null' },
    { name: 'blog_posts_due', properties: ['scheduledAt'], where: 'scheduled_at is not null' },
    { name: 'blog_posts_tags', properties: ['tags'], type: 'gin' },
    {
      name: SEARCH_INDEX,
      expression: `create index "${SEARCH_INDEX}" on "blog_posts" using gin (${SEARCH_TEXTS.posts} gin_trgm_ops)`,
    },
    {
      name: CONTENTS_INDEX,
      expression: `create index "${CONTENTS_INDEX}" on "blog_posts" using gin ((${SEARCH_TEXTS.postContents}) gin_trgm_ops)`,
    },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    ...postColumns,
    slug: postColumns.slug.unique(),
    /** The date shown to readers. */
    publishedDate: p.datetime(),
    /** True when a person or an import chose that date; otherwise it follows the first publication. */
    isDateChosen: p.boolean().default(false),
    isPublished: p.boolean().default(false),
    firstPublishedAt: p.datetime().nullable(),
    /** When it was published last; the release before does not write it. Says nothing of a post that is not published. */
    liveSince: p.datetime().nullable(),
    /** When it is to be published; null once it is, or when nobody planned it. */
    scheduledAt: p.datetime().nullable(),
    /** When it was put into the trash. */
    deletedAt: p.datetime().nullable(),
    deletedBy: () => p.manyToOne(User).nullable().fieldName('deleted_by').deleteRule('set null'),
    /** The account whose post it is (decision 102); null for imported posts, and those of the release before. */
    owner: () => p.manyToOne(User).nullable().fieldName('owner_id').deleteRule('set null'),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    /** Raised by every change; a writer names the version it started from. */
    version: p.integer().version(),
    /** Names the last attempt to save, by the writer or made up: the same one again is no conflict. */
    lastSaveId: p.uuid().nullable(),
    savedBy: () => p.manyToOne(User).nullable().fieldName('saved_by').deleteRule('set null'),
    workingCopy: p.json<UnsavedEdits>().nullable(),
    /** Its title, for the list and its search. */
    workingTitle: p.text().nullable(),
    keptAt: p.datetime().nullable(),
    keptBy: () => p.manyToOne(User).nullable().fieldName('kept_by').deleteRule('set null'),
    /** Key of an imported post at its source, unique per source; null for posts written here. */
    sourceKey: p.text().nullable().unique(),
    /** Fingerprint of the fields as the last import wrote them; other fields mean that somebody edited the post. */
    sourceFingerprint: p.string().length(64).nullable(),
  },
});

/** A row of {@link Post}. */
export type PostRow = InferEntity<typeof Post>;
