import { decodeEscapes } from '../../shared/decode-escapes.js';
import { paths } from '../../shared/paths.js';
import { FOLDED_REASONS, PAGE_THERE, reasonOfType } from '../../shared/contracts/import-report.js';
import { losesLetters, slugify } from '../../shared/slug.js';
import { toPlainText } from '../../posts/content/plain-text.js';
import { RefusedError, unlessRefused } from '../import.errors.js';
import { findMoved, leadOuterPlacesOn, leadPlacesOn } from '../heading-places.js';
import { leadLinksOn, toAddressKey, type InnerAddresses } from '../markdown/inner-links.js';
import { isZeroDate, parsePostDate } from '../post-date.js';
import type { ReaderSettings } from '../source-bytes.js';
import {
  DATED_TODAY,
  DRAFT_THERE,
  readNamed,
  toPageTerms,
  type NamedTexts,
  type SkippedItem,
  type SourcePost,
} from '../source-post.js';
import { noteBuilder } from './wordpress-builders.js';
import { readComments } from './wordpress-comments.js';
import { formerPathsOf } from './wordpress-addresses.js';
import { readContent, readWritten } from './wordpress-content.js';
import { whyRestricted } from './wordpress-restrictions.js';
import { placeSmileys } from './smileys.js';
import { readSeo } from './wordpress-seo.js';
import { metaOf, readFeedDate, type WordPressAttachment, type WordPressSite } from './wordpress-site.js';
import { authorsOf, folderOf, languageOf, listsOf, termsOf } from './wordpress-terms.js';
import { textOf, type XmlElement } from './xml-tree.js';

export interface ItemSettings extends ReaderSettings {
  readonly fileName: string;
  /** Name of an item without a title. */
  readonly place: string;
  readonly site: WordPressSite;
}

/** Kinds of items, in words. */
const kinds: Readonly<Record<string, string>> = {
  attachment: FOLDED_REASONS.file.replace(', not a post', ''),
  nav_menu_item: FOLDED_REASONS.entry.replace(', not a post', ''),
  wp_block: 'a reusable block, which comes with the posts that show it',
  revision: FOLDED_REASONS.version.replace(', not a post', ''),
};
/** Custom fields that are read elsewhere, or that plugins keep for themselves. */
const ofPlugins =
  /^(?:enclosure|footnotes|rank_math_|dsq_|ratings_|wpb_|fusion_|avada_|et_|td_|ampforwp|essb_|swp_|jabber_published|sharing_disabled|switch_like_status|reddit$|email_notification|views$|post_views_count|hits$|syntaxhighlighter_encoded|geo_|wp_jp_|advanced_seo_|spay_email|timeline_notification|publicize_|snap|ocean_|litespeed|classic-editor-remember|inline_featured_image|wp-smush|mashsb_|_)/;
/** The length of a title that is made of the first words. */
const MAX_TITLE = 60;

/**
 * The post that an item of an export is, or why it is none.
 * @throws RefusedError when it has no id, or a date that is none
 */
export function readWordPressItem(item: XmlElement, settings: ItemSettings): SourcePost | SkippedItem {
  const id = textOf(item, 'wp:post_id');
  const title = toPlainText(textOf(item, 'title'));
  const label = title || settings.place.slice(settings.fileName.length + 2);
  const file = `${settings.fileName}: ${label}${id === '' ? '' : ` (${id})`}`;
  const skipped = reasonToSkip(item, settings);
  if (skipped !== null) return { file, skipped };
  if (!/^\d{1,20}$/.test(id)) throw new RefusedError(['wp:post_id is missing or no number']);
  return toPost(item, { id, title, file }, settings);
}

function reasonToSkip(item: XmlElement, { pages }: Pick<ReaderSettings, 'pages'>): string | null {
  const type = textOf(item, 'wp:post_type') || 'post';
  const status = textOf(item, 'wp:status');
  if (type === 'page' && pages === undefined) return PAGE_THERE;
  if (type !== 'post' && type !== 'page')
    return Object.hasOwn(kinds, type) ? `${kinds[type]}, not a post` : reasonOfType(type);
  if (status === 'trash') return 'in the trash of the site that it comes from';
  if (status === 'auto-draft') return 'a draft that nobody has written in';
  return status === 'inherit' ? 'a part of another post' : null;
}

function toPost(
  item: XmlElement,
  { id, title, file }: { id: string; title: string; file: string },
  settings: ItemSettings,
): SourcePost {
  const { site } = settings;
  const warnings: string[] = [];
  const link = readLink(textOf(item, 'link'), site);
  const written = readDate(item, settings.timeZone);
  const whole = readWritten(item, site, warnings, settings.shortcodes);
  const status = withRestriction(readStatus(item, written, site), whyRestricted(item, whole, settings.shortcodes));
  const ownExcerpt = toPlainText(placeSmileys(textOf(item, 'excerpt:encoded')));
  const author = authorsOf(item, site, warnings) || settings.author;
  const terms = asPage(item, termsOf(item, site, warnings), settings);
  const language = languageOf(item);
  const { seo, description } = readSeo(item, { title, excerpt: ownExcerpt, author, site }, warnings);
  const image = readImage(item, site, warnings);
  const texts: Partial<NamedTexts> = { ...seo, image_caption: image?.caption ?? null };
  const content = readContent(item, whole, id, site, warnings, settings.shortcodes);
  const led = leadLinksOn(leadPlacesOn(content, warnings), link?.pathname ?? null, innerAddresses(site), warnings);
  const html = leadOuterPlacesOn(led, (slug, id) => site.places.get(slug)?.get(id) ?? null);
  if (status.isPublished === true && status.date === undefined) warnings.push(DATED_TODAY);
  if (textOf(item, 'wp:is_sticky') === '1') {
    warnings.push('stands above all others in the list there; here posts stand by their dates');
  }
  const post: SourcePost = {
    file,
    itemKey: id,
    formerKeys: [`wordpress:${URL.canParse(site.address) ? new URL(site.address).host : 'unknown'}/${id}`],
    title: title || titleOf(ownExcerpt || html, warnings) || titleOfName(nameOf(item, link), id, warnings),
    slug: numberedSlug(id, site, warnings) ?? readSlug(nameOf(item, link), title, id, warnings),
    ...(language === undefined ? {} : { language }),
    excerpt: ownExcerpt || description,
    author,
    ...terms,
    ...readNamed((name) => texts[name] ?? null),
    image: image === null ? null : { address: image.address, alt: image.alt },
    ...status,
    ...createdOf(item, written),
    ...savedOf(item, settings.timeZone),
    html,
    folder: '',
    baseUrl: link?.href ?? null,
    oldPaths: [...oldPathsOf(item, link, id, site), ...formerPathsLeft(item, link, id, site)],
    oldLists: listsOf(item, author, site),
    warnings,
  };
  if (post.isPublished === true && link === null) noteAddress(textOf(item, 'link'), warnings);
  noteFields(item, warnings);
  noteBuilder(item, html, warnings);
  const comments = readComments(item, settings);
  return comments === undefined ? post : { ...post, comments };
}

/** Short messages have no title there, and themes show their text for it. */
function titleOf(html: string, warnings: string[]): string {
  const lines = html.split(/<br\b|<\/(?:p|h[1-6]|li|blockquote|pre|figure)>/i, 20).map((line) => toPlainText(line));
  const signs = [...(lines.find((line) => line !== '') ?? '')];
  const start = signs.slice(0, MAX_TITLE).join('');
  const title = signs.length <= MAX_TITLE ? start : `${start.replace(/\s+\S*$/u, '')}…`;
  if (title !== '') warnings.push(`has no title there: it is called '${title}' here, as its text begins`);
  return title;
}

/** A post of a picture has no words to begin with, but an address. */
function titleOfName(name: string, id: string, warnings: string[]): string {
  const words = decodeEscapes(name).replaceAll('-', ' ').trim();
  const title = /\p{L}/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : `Post ${id}`;
  warnings.push(`has neither a title nor a text there: it is called '${title}' here`);
  return title;
}

/** Returns the addresses of a post: its own, and those with its number, which WordPress always knows. */
function oldPathsOf(
  item: XmlElement,
  link: URL | null,
  id: string,
  { address }: Pick<WordPressSite, 'address'>,
): string[] {
  const folder = folderOf({ address });
  const own = link !== null && link.pathname !== '/' && !/[?&](?:p|page_id)=/.test(link.search) ? [link.pathname] : [];
  return [...own, `${folder}/?p=${id}`, ...(isPage(item) ? [`${folder}/?page_id=${id}`] : [])];
}

/** Returns the former addresses of a post that are the address of no other one, which readers see there. */
function formerPathsLeft(item: XmlElement, link: URL | null, id: string, site: WordPressSite): string[] {
  return formerPathsOf(item, link).filter((path) => {
    const key = toAddressKey(path);
    return !site.slugs.has(key) && site.former.get(key)?.id === id;
  });
}

/** Remembers where a post was, for links to it. */
export function addAddresses(site: WordPressSite, item: XmlElement, { pages, slugOf }: ReaderSettings): void {
  const id = textOf(item, 'wp:post_id');
  if (reasonToSkip(item, pages === undefined ? {} : { pages }) !== null || !/^\d{1,20}$/.test(id)) return;
  const language = languageOf(item);
  const link = readLink(textOf(item, 'link'), site);
  const name = nameOf(item, link);
  const title = toPlainText(textOf(item, 'title'));
  const chosen = (slug: string) =>
    slugOf?.({ slug, file: '', folder: '', ...(language === undefined ? {} : { language }) }) ?? slug;
  const keys = oldPathsOf(item, link, id, site).map(toAddressKey);
  const former = formerPathsOf(item, link).map(toAddressKey);
  const moved = findMoved(textOf(item, 'content:encoded'));
  const add = (own: string) => {
    const slug = chosen(own);
    if (!site.taken.has(slug)) site.taken.set(slug, id);
    for (const key of keys) if (!site.slugs.has(key)) site.slugs.set(key, slug);
    for (const key of former) if (!site.former.has(key)) site.former.set(key, { id, slug });
    if (moved !== null && !site.places.has(slug)) site.places.set(slug, moved);
  };
  const slug = readSlug(name, title, id, []);
  // WordPress tells names apart by all of their letters, and drafts that have none yet by their numbers.
  if (name === '' || losesLetters(decodeEscapes(name))) site.unsettled.push({ id, slug, chosen, add });
  else add(slug);
  const [, front = ''] = /^\/([^/]+)\/[^/]+/.exec(link?.pathname.slice(folderOf(site).length) ?? '') ?? [];
  if (!isPage(item)) site.fronts.add(/^\d*$/.test(front) ? '' : front);
}

/** The name of an item in its address. Pages below different pages may have the same: then it is their whole path. */
function nameOf(item: XmlElement, link: URL | null): string {
  const name = textOf(item, 'wp:post_name');
  const path = decodeEscapes(link?.pathname ?? '').replace(/^\/+|\/+$/g, '');
  const isBelow =
    isPage(item) && !/^0?$/.test(textOf(item, 'wp:post_parent')) && path.endsWith(`/${decodeEscapes(name)}`);
  return isBelow ? path.replaceAll('/', '-') : name;
}

function isPage(item: XmlElement): boolean {
  return textOf(item, 'wp:post_type') === 'page';
}

/** Puts a page into the category of pages; one that it has there is a tag. */
function asPage(item: XmlElement, terms: ReturnType<typeof termsOf>, { pages }: ReaderSettings): typeof terms {
  return isPage(item) && pages !== undefined ? toPageTerms(terms, pages) : terms;
}

function innerAddresses({ address, slugs, former }: WordPressSite): InnerAddresses {
  const host = URL.canParse(address) ? [new URL(address).host.replace(/^www\./, '')] : [];
  return {
    hosts: new Set(host),
    find: (path) => {
      const key = toAddressKey(path);
      const slug = slugs.get(key) ?? former.get(key)?.slug;
      return slug === undefined ? undefined : paths.blog(slug);
    },
  };
}

/**
 * Names the custom fields that somebody may have filled in: themes show such fields. Those that begin with a line below belong to WordPress and
 * its plugins, and so do counters and settings that are known.
 */
function noteFields(item: XmlElement, warnings: string[]): void {
  const keys = item.children.flatMap((child) => {
    const isFilled = child.name === 'wp:postmeta' && textOf(child, 'wp:meta_value').trim() !== '';
    return isFilled ? textOf(child, 'wp:meta_key') : [];
  });
  for (const key of new Set(keys)) {
    if (key !== '' && !key.startsWith('_') && !ofPlugins.test(key)) {
      warnings.push(`a custom field was not taken: ${key.slice(0, 100)}`);
    }
  }
}

function noteAddress(link: string, warnings: string[]): void {
  const said = link === '' ? 'is not known' : `${link} is no address of a page`;
  warnings.push(`its old address ${said}: only the one with its number leads here`);
}

/** Null when it is no address of a page on the web. */
function readLink(link: string, site: WordPressSite): URL | null {
  const base = site.address === '' ? 'http://localhost' : site.address;
  if (link === '' || !URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  return /^https?:$/.test(url.protocol) && url.hostname !== 'localhost' ? url : null;
}

function readDate(item: XmlElement, timeZone: string): Date | undefined {
  return readMoment(item, 'wp:post_date', timeZone) ?? readFeedDate(textOf(item, 'pubDate'));
}

/** In UTC if the export says so, otherwise in the site's zone; undefined for the zeros of unpublished posts. */
function readMoment(item: XmlElement, name: string, timeZone: string): Date | undefined {
  const utc = textOf(item, `${name}_gmt`);
  if (isDate(utc)) return parsePostDate(`${utc} UTC`, timeZone);
  const local = textOf(item, name);
  return isDate(local) ? parsePostDate(local, timeZone) : undefined;
}

/** When it was changed last; exports before WordPress 5.7 do not say. */
function savedOf(item: XmlElement, timeZone: string): Pick<SourcePost, 'savedAt'> {
  const savedAt = unlessRefused(() => readMoment(item, 'wp:post_modified', timeZone));
  return savedAt === undefined ? {} : { savedAt };
}

/** When it was written. The date of a planned post is the one to come; of when it was changed, exports tell the last time. */
function createdOf(item: XmlElement, written: Date | undefined): Pick<SourcePost, 'createdAt'> {
  if (textOf(item, 'wp:status') !== 'future') return written === undefined ? {} : { createdAt: written };
  const changed = textOf(item, 'wp:post_modified_gmt');
  return isDate(changed) ? { createdAt: parsePostDate(`${changed} UTC`, 'UTC') } : {};
}

function isDate(text: string): boolean {
  return text !== '' && !isZeroDate(text);
}

type Status = Pick<SourcePost, 'date' | 'isPublished' | 'withheld' | 'scheduledAt'>;

/** The date of a draft is when it was last saved, which is nothing that readers should see. */
function readStatus(item: XmlElement, written: Date | undefined, { exportedAt }: WordPressSite): Status {
  const status = textOf(item, 'wp:status');
  const withhold = (withheld: string, date = written) => ({ date, isPublished: false, withheld });
  if (textOf(item, 'wp:post_password') !== '') return withhold('is protected by a password there');
  switch (status) {
    case 'publish':
      return { date: written, isPublished: true };
    case 'future':
      if (written === undefined) return withhold('is planned there for a time that the file does not tell');
      // WordPress publishes by visits and tasks, which a site may miss: readers of it never saw such a post.
      if (exportedAt !== undefined && written < exportedAt)
        return withhold('was not published there, though its time had come');
      return { date: written, isPublished: false, scheduledAt: written };
    case 'draft':
      return { date: undefined, isPublished: false, withheld: DRAFT_THERE };
    case 'private':
      return withhold('is private there');
    case 'pending':
      return { date: undefined, isPublished: false, withheld: 'waits for a review there' };
    default:
      return withhold(`has the status '${status}' there, which is not known`);
  }
}

/** The state of a post that is for some readers only, or a part of it, which everybody would read here. */
function withRestriction(status: Status, reason: string | undefined): Status {
  if (reason === undefined || status.withheld !== undefined) return status;
  return { date: status.date, isPublished: false, withheld: reason };
}

function readSlug(written: string, title: string, id: string, warnings: string[]): string {
  const slug = slugify(decodeEscapes(written).replace(/\.html?$/i, '')) || slugify(title);
  if (slug !== '') return slug;
  warnings.push(`neither its address nor its title has letters from a to z: its address is post-${id}`);
  return `post-${id}`;
}

/** The slug of a post that only its number tells from another one; undefined for others. */
function numberedSlug(id: string, { numbered }: WordPressSite, warnings: string[]): string | undefined {
  const slug = numbered.get(id);
  if (slug !== undefined) {
    warnings.push(
      `with its letters from a to z alone it would have the address of another post: its address is ${slug}`,
    );
  }
  return slug;
}

function readImage(item: XmlElement, site: WordPressSite, warnings: string[]): WordPressAttachment | null {
  const id = metaOf(item, '_thumbnail_id');
  if (id === '' || id === '0' || id === '-1') return null;
  const attachment = site.attachments.get(id);
  if (attachment !== undefined) return attachment;
  warnings.push(`its featured image (attachment ${id}) is not in the file`);
  return null;
}
