import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A blog post: table `blog_posts` of specification section 3, with what conflict checks and imports need. */
export const Post = defineEntity({
  name: 'Post',
  tableName: 'blog_posts',
  indexes: [{ properties: ['isPublished', 'publishedDate'] }, { properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    slug: p.string().length(200).unique(),
    title: p.string().length(200),
    excerpt: p.string().length(500).nullable(),
    /** Sanitised HTML; hosted images by their /media address. */
    content: p.text(),
    imageUrl: p.text().nullable(),
    category: p.string().length(50).nullable(),
    /** Null rather than empty when there are none. */
    tags: p.array().nullable(),
    author: p.string().length(100),
    /** The date shown to readers. */
    publishedDate: p.datetime(),
    isPublished: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p
      .datetime()
      .defaultRaw('now()')
      .onUpdate(() => new Date()),
    /** Raised by every change; a writer names the version it started from. */
    version: p.integer().version(),
    /** Where an imported post came from, unique per source; null for posts written here. */
    sourceKey: p.text().nullable().unique(),
    /** Fingerprint of the fields as the last import wrote them; other fields mean that somebody edited the post. */
    sourceFingerprint: p.string().length(64).nullable(),
  },
});

/** A row of {@link Post}. */
export type PostRow = InferEntity<typeof Post>;
