import type { Config } from '../config/config.js';
import {
  listedFields,
  mapFields,
  readersFields,
  type PostField,
  type PostTexts,
} from '../shared/contracts/post-fields.js';
import type { FeedPost, PostDetail, PostSection, PostSummary } from '../shared/contracts/posts.js';
import { toDisplayDate } from '../shared/dates.js';
import { toPicture } from '../shared/media.js';
import type { SiteService } from '../site/site.service.js';
import type { OwnAddresses } from './content/remote-images.js';
import { addReadingAids } from './content/reading-aids.js';
import { renderContent } from './content/render-content.js';
import { propertiesOf, propertyOf } from './post-columns.js';
import type { PostRow } from './post.entity.js';
import type { TextColumns } from './post-texts.js';
import { toShareImage } from './share-image.js';

/** Settings that presenters need. */
export interface PresenterContext extends OwnAddresses {
  /** IANA zone in which dates are shown. */
  readonly timeZone: string;
  /** Names what all drawn share images have in common; null where none are drawn. */
  readonly shareStamp: string | null;
}

/** Injects the {@link PresenterContext}. */
export const PRESENTER_CONTEXT = Symbol('presenter context');

/** Returns the addresses of this site's own images. */
export function toOwnAddresses({ site, storage }: Config): OwnAddresses {
  return { siteUrl: site.url, publicBase: storage.driver === 's3' ? storage.publicUrl : undefined };
}

/** Returns the settings that presenters need. */
export function toPresenterContext(config: Config, live: SiteService): PresenterContext {
  return {
    ...toOwnAddresses(config),
    timeZone: config.site.timeZone,
    // It has the company's name in it, which may change while the process runs.
    get shareStamp() {
      return live.current.shareStamp;
    },
  };
}

/** The columns of a list. */
export const summaryFields = ['id', 'publishedDate', ...propertiesOf(listedFields)] as const;

/** The columns of a single post. */
export const detailFields = ['id', 'publishedDate', 'updatedAt', ...propertiesOf(readersFields)] as const;

/** The least minutes of reading and headings of a post that gets a table of contents. */
const LONG = { minutes: 3, headings: 3 } as const;

type SummaryRow = Pick<PostRow, (typeof summaryFields)[number]>;
type DetailRow = Pick<PostRow, (typeof detailFields)[number]>;

/** A post as lists show it. */
export function toPostSummary(post: SummaryRow, context: PresenterContext): PostSummary {
  return { ...present(post, context), ...presentTexts(post, listedFields, context) };
}

/** A post for feeds, with its text as it is shown anywhere: what helps to read it on its page is not in it. */
export async function toFeedPost(post: DetailRow, context: PresenterContext): Promise<FeedPost> {
  const { html, minutes } = await renderContent(post.content, context);
  return {
    ...present(post, context),
    ...presentTexts(post, readersFields, context),
    share_image: toShareImage(post, context),
    content: html,
    reading_minutes: minutes,
    updated_at: post.updatedAt.toISOString(),
  };
}

/** A post as its page shows it. */
export async function toPostDetail(row: DetailRow, context: PresenterContext): Promise<PostDetail> {
  const post = await toFeedPost(row, context);
  const { html, sections } = addReadingAids(post.content);
  return {
    ...post,
    content: html,
    sections: isLong(post.reading_minutes, sections) ? sections : [],
    newer: null,
    older: null,
    related: [],
    comments: null,
  };
}

function isLong(minutes: number, sections: readonly PostSection[]): boolean {
  const headings = sections.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  return minutes >= LONG.minutes && headings >= LONG.headings;
}

function present({ id, imageUrl, publishedDate }: SummaryRow, { timeZone, publicBase }: PresenterContext) {
  return {
    id,
    published_date: publishedDate.toISOString(),
    published: toDisplayDate(publishedDate, timeZone),
    picture: toPicture(imageUrl ?? '', publicBase),
  };
}

/** Fields as readers have them: hosted images by the address at which browsers find them. */
function presentTexts<Name extends PostField>(
  post: TextColumns<Name>,
  names: readonly Name[],
  { publicBase }: PresenterContext,
): PostTexts<Name> {
  const values: Partial<Record<string, unknown>> = post;
  return mapFields(names, (name, { kind }) => {
    const value = values[propertyOf(name)] ?? null;
    return kind === 'image' && typeof value === 'string' ? (toPicture(value, publicBase)?.src ?? value) : value;
  });
}
