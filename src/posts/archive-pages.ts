import type { ArchiveLine, ArchivePage, ArchivePlace, ArchiveYear } from '../shared/contracts/blog-list.js';
import type { PostSummary } from '../shared/contracts/posts.js';
import { pathOfName } from '../shared/term-addresses.js';

/** A post as the archive needs it. */
export interface ArchivedPost {
  readonly slug: string;
  readonly title: string;
  /** 'YYYY-MM-DD' in the site's zone. */
  readonly day: string;
}

/** Posts that the blog list shows as cards. */
export const CARDS = 60;
/** Posts on one page: as cards and lines on the blog list, as lines in the archive. */
export const MAX_POSTS = 1000;

/** No page is larger (product.md 2.9). */
const MAX_PAGE_BYTES = 300_000;
/** Head with style sheet (63,000), header, footer, and some forty headings and links of years. */
const FRAME_BYTES = 78_000;
/** Elements, class names and the drawing of a card, beside its texts. */
const CARD_BYTES = 900;
/** Elements and names of one more tag. */
const TAG_BYTES = 50;
/** The attribute with the focal point of an image. */
const FOCUS_BYTES = 40;
/** A link around a name, beside its address. */
const LINK_BYTES = 30;
/** Elements and day of a line, beside its texts. */
const LINE_BYTES = 38;

/** The room of a page. */
interface Room {
  readonly posts: number;
  readonly bytes: number;
}

const PAGE: Room = { posts: MAX_POSTS, bytes: MAX_PAGE_BYTES - FRAME_BYTES };

/** Returns how many of the newest posts fit on a page as cards, and the room that these leave. */
export function placeCards(posts: readonly PostSummary[]): { readonly count: number; readonly left: Room } {
  return place(posts.slice(0, CARDS), PAGE, sizeOfCard);
}

/**
 * Returns how many posts, from the first, can be cards on a page of their own when all others stand there as lines.
 * @param lines the same posts
 */
export function placeAll(posts: readonly PostSummary[], lines: readonly ArchivedPost[]): number {
  let { count, left } = placeCards(posts);
  while (count > 0 && countLines(lines.slice(count), left) < lines.length - count) {
    ({ count, left } = placeCards(posts.slice(0, count - 1)));
  }
  return count;
}

/** Returns how many of these posts fit as lines, on a page of their own or into the room that cards leave. */
export function countLines(posts: readonly ArchivedPost[], room = PAGE): number {
  return place(posts, room, sizeOfLine).count;
}

/** Counts posts, from the first one, while there is room. */
function place<T>(posts: readonly T[], room: Room, sizeOf: (post: T) => number) {
  let [count, bytes] = [0, room.bytes];
  for (const post of posts.slice(0, room.posts)) {
    const size = sizeOf(post);
    if (size > bytes) break;
    bytes -= size;
    count += 1;
  }
  return { count, left: { posts: room.posts - count, bytes } };
}

/** Every text of a card stands in the page twice, as HTML and as data. */
function sizeOfCard(card: PostSummary): number {
  const { slug, title, excerpt, category, author, tags, picture, image_alt, image_focus } = card;
  const texts = [title, excerpt, category, author, image_alt, ...(tags ?? [])].map((text) => sizeAsHtml(text ?? ''));
  const shown = texts.reduce((sum, size) => sum + size, sizeAsHtml(encodeURIComponent(slug)));
  const images = picture === null ? 0 : sizeAsData(picture) + (image_focus === null ? 0 : FOCUS_BYTES);
  return CARD_BYTES + TAG_BYTES * (tags?.length ?? 0) + shown + sizeOfLinks(card) + images + sizeAsData(card);
}

function sizeOfLinks({ category, author, tags }: PostSummary): number {
  const links = [
    category ? pathOfName('category', category) : null,
    pathOfName('author', author),
    ...(tags ?? []).map((tag) => pathOfName('tag', tag)),
  ];
  return links.reduce((sum, path) => sum + (path === null ? 0 : LINK_BYTES + sizeAsHtml(path)), 0);
}

function sizeOfLine({ slug, title }: ArchivedPost): number {
  return LINE_BYTES + sizeAsHtml(encodeURIComponent(slug)) + sizeAsHtml(title);
}

/** React spells these characters with up to six. */
function sizeAsHtml(text: string): number {
  return Buffer.byteLength(text.replace(/["&'<>]/g, '&quot;'));
}

function sizeAsData(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

/** A post as a line. */
export function toLine({ slug, title, day }: ArchivedPost): ArchiveLine {
  return [slug, title, day.slice(5)];
}

/**
 * The years of the blog list.
 * @param shown the posts that are shown as lines, newest first
 * @param totals the posts of each year that has some beyond those, by year
 */
export function toYears(shown: readonly ArchivedPost[], totals: ReadonlyMap<string, number>): ArchiveYear[] {
  const byYear = Map.groupBy(shown, ({ day }) => day.slice(0, 4));
  const years = [...new Set([...byYear.keys(), ...totals.keys()])].sort().reverse();
  return years.map((year) => ({
    year,
    posts: (byYear.get(year) ?? []).map(toLine),
    total: totals.get(year) ?? 0,
  }));
}

/**
 * A page of the archive, or null if there is none at this place.
 * @param posts all posts of the year, newest first
 */
export function toArchivePage(
  posts: readonly ArchivedPost[],
  place: ArchivePlace,
): Omit<ArchivePage, 'archive'> | null {
  const { year, month, part } = place;
  const none = { ...place, posts: [], months: [], parts: 1 };
  if (month === null) {
    if (posts.length === 0 || part !== 1) return null;
    if (countLines(posts) === posts.length) return { ...none, posts: posts.map(toLine) };
    const months = Map.groupBy(posts, ({ day }) => day.slice(5, 7));
    return { ...none, months: [...months].map(([name, { length }]) => ({ month: name, count: length })) };
  }
  const parts = toParts(posts.filter(({ day }) => day.startsWith(`${year}-${month}-`)));
  const shown = parts[part - 1];
  return shown === undefined ? null : { ...none, posts: shown.map(toLine), parts: parts.length };
}

/** Cuts posts into pages. */
function toParts(posts: readonly ArchivedPost[]): ArchivedPost[][] {
  const parts: ArchivedPost[][] = [];
  for (let start = 0; start < posts.length; start += parts.at(-1)?.length ?? 1) {
    // One post fits on any page.
    parts.push(posts.slice(start, start + Math.max(1, countLines(posts.slice(start, start + MAX_POSTS)))));
  }
  return parts;
}
