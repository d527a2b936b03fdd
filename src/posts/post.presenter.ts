import type { Config } from '../config/config.js';
import type { PostDetail, PostSummary } from '../shared/contracts/posts.js';
import { toDisplayDate } from '../shared/dates.js';
import { toPicture } from '../shared/media.js';
import { readingMinutes } from './content/plain-text.js';
import { renderContent } from './content/render-content.js';
import type { PostRow } from './post.entity.js';

/** What the presenters need to know of the configuration. */
export interface PresenterContext {
  /** IANA zone in which dates are shown. */
  readonly timeZone: string;
  /** Where browsers read images, or undefined when this server hands them out. */
  readonly publicBase: string | undefined;
}

/** What the presenters need, from the configuration. */
export function toPresenterContext({ site, storage }: Config): PresenterContext {
  return { timeZone: site.timeZone, publicBase: storage.driver === 's3' ? storage.publicUrl : undefined };
}

/** The columns of a list: everything but the text. */
export const summaryFields = [
  'id',
  'slug',
  'title',
  'excerpt',
  'imageUrl',
  'imageAlt',
  'category',
  'tags',
  'author',
  'publishedDate',
] as const;

/** The columns of a single post. */
export const detailFields = [...summaryFields, 'content', 'updatedAt'] as const;

type SummaryRow = Pick<PostRow, (typeof summaryFields)[number]>;
type DetailRow = Pick<PostRow, (typeof detailFields)[number]>;

/** A post as lists show it. */
export function toPostSummary(post: SummaryRow, { timeZone, publicBase }: PresenterContext): PostSummary {
  const imageUrl = post.imageUrl ?? null;
  const picture = imageUrl === null ? null : toPicture(imageUrl, publicBase);
  return {
    id: post.id,
    slug: post.slug,
    title: post.title,
    excerpt: post.excerpt ?? null,
    image_url: picture?.src ?? imageUrl,
    image_alt: post.imageAlt ?? null,
    category: post.category ?? null,
    tags: post.tags ?? null,
    author: post.author,
    published_date: post.publishedDate.toISOString(),
    published: toDisplayDate(post.publishedDate, timeZone),
    picture,
  };
}

/** A post as its page shows it. */
export async function toPostDetail(post: DetailRow, context: PresenterContext): Promise<PostDetail> {
  return {
    ...toPostSummary(post, context),
    content: await renderContent(post.content, context.publicBase),
    reading_minutes: readingMinutes(post.content),
    updated_at: post.updatedAt.toISOString(),
  };
}
