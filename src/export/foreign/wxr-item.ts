import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { cleanCharacters } from '../../shared/clean-characters.js';
import { MEDIA_PATH } from '../../shared/media.js';
import { paths } from '../../shared/paths.js';
import { findHeadingIds } from '../../posts/content/find-anchors.js';
import { escapeText } from '../../posts/content/markup-tree.js';
import type { OwnAddresses } from '../../posts/content/remote-images.js';
import { shownFiles, type ExportedPost, type ExportedRow } from '../exported-post.js';
import { findFieldLosses } from './field-losses.js';
import type { Numbers } from './numbers.js';
import { stateOf, type ForeignState } from './post-state.js';
import type { SiteTerms } from './site-terms.js';
import { toWxrContent } from './wxr-content.js';
import { cdata, customField, element, escapeXml, fact } from './xml-text.js';

/** Facts of the site that items need. */
export interface WxrSite {
  /** Address without a slash at its end. */
  readonly url: string;
  readonly name: string;
  /** IANA name: WordPress keeps local times beside those in UTC. */
  readonly timeZone: string;
  readonly terms: SiteTerms;
  readonly own: OwnAddresses;
  readonly now: Date;
}

/** An item of an export and what it has no place for. */
export interface WxrItem {
  readonly xml: string;
  readonly losses: readonly string[];
}

/** A file as an item of its own, which WordPress fetches from its address. */
export interface Attachment {
  readonly number: number;
  readonly xml: string;
}

const plainSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const statuses = { published: 'publish', scheduled: 'future', draft: 'draft' } as const;
const NO_DATE = '0000-00-00 00:00:00';

/** The item of a post. */
export async function toWxrItem(
  { row, oldPaths, comments }: ExportedPost,
  site: WxrSite,
  numbers: Numbers,
): Promise<WxrItem> {
  const number = numbers.of(row.id);
  const state = stateOf(row, site.now);
  const content = toWxrContent(row.content, row.id, {
    fileAt: (address) => site.url + address,
    pageAt: (path) => site.url + path,
    headingIds: await findHeadingIds(row.content, site.own),
  });
  const image = featured(row, site, numbers);
  const fields = [
    ...(image === null ? [] : [customField('_thumbnail_id', String(image.number))]),
    ...seoFields(row, site),
    ...(content.footnotes === null ? [] : [customField('footnotes', content.footnotes)]),
    ...formerSlugs(oldPaths).map((slug) => customField('_wp_old_slug', slug)),
  ];
  const xml = [
    '<item>',
    element('title', escapeText(row.title)),
    // What is not public has no address there yet.
    fact('link', state.status === 'published' ? site.url + paths.blog(row.slug) : `${site.url}/?p=${number}`),
    ...(state.date === null ? [] : [fact('pubDate', toPubDate(state.date))]),
    element('dc:creator', site.terms.authors.get(row.author) ?? ''),
    `<guid isPermaLink="false">urn:uuid:${row.id}</guid>`,
    '<description></description>',
    element('content:encoded', content.html),
    element('excerpt:encoded', escapeText(row.excerpt ?? '')),
    ...toPostFacts(number, row, state, site),
    ...toTerms(row, site),
    ...fields,
    ...comments.map((comment) => toComment(comment, site)),
    '</item>',
  ].join('\n');
  return { xml, losses: [...state.losses, ...content.losses, ...lossesOf(row)] };
}

/** The files that a post shows or plays, as items; a picture with other words about it is another one. */
export function toAttachments(row: ExportedRow, site: WxrSite, numbers: Numbers): Attachment[] {
  const featuredImage = featured(row, site, numbers);
  const files = shownFiles(row).map((name) => ({
    number: numbers.of(`file:${name}`),
    address: `${site.url}${MEDIA_PATH}${name}`,
    alt: '',
    caption: '',
  }));
  const all = featuredImage === null ? files : [featuredImage, ...files];
  const known = new Set<string>();
  const needed = all.filter(({ address }) => !known.has(address) && known.add(address));
  return needed.map((file) => ({ number: file.number, xml: toAttachment(file, row, site) }));
}

interface PlacedFile {
  readonly number: number;
  readonly address: string;
  readonly alt: string;
  readonly caption: string;
}

function featured(row: ExportedRow, site: WxrSite, numbers: Numbers): PlacedFile | null {
  const written = row.imageUrl ?? '';
  if (written === '') return null;
  const address = written.startsWith('/') ? site.url + written : written;
  const [alt, caption] = [row.imageAlt ?? '', row.imageCaption ?? ''];
  const isPlain = alt === '' && caption === '' && written.startsWith(MEDIA_PATH);
  const key = isPlain ? `file:${written.slice(MEDIA_PATH.length)}` : `image:${address}\n${alt}\n${caption}`;
  return { number: numbers.of(key), address, alt, caption };
}

function toAttachment({ number, address, alt, caption }: PlacedFile, row: ExportedRow, site: WxrSite): string {
  const name = address.slice(address.lastIndexOf('/') + 1);
  const date = row.publishedDate;
  return [
    '<item>',
    element('title', escapeText(name)),
    fact('link', address),
    fact('pubDate', toPubDate(date)),
    element('dc:creator', site.terms.authors.get(row.author) ?? ''),
    `<guid isPermaLink="false">${escapeXml(address)}</guid>`,
    '<description></description>',
    element('content:encoded', ''),
    element('excerpt:encoded', escapeText(caption)),
    fact('wp:post_id', number),
    ...toDates('wp:post_date', date, site),
    element('wp:status', 'inherit'),
    fact('wp:post_parent', 0),
    element('wp:post_type', 'attachment'),
    element('wp:attachment_url', address),
    ...(alt === '' ? [] : [customField('_wp_attachment_image_alt', alt)]),
    '</item>',
  ].join('\n');
}

function toPostFacts(number: number, row: ExportedRow, { status, date }: ForeignState, site: WxrSite): string[] {
  return [
    fact('wp:post_id', number),
    ...(date === null
      ? [fact('wp:post_date', toLocal(row.createdAt, site)), fact('wp:post_date_gmt', NO_DATE)]
      : toDates('wp:post_date', date, site)),
    ...toDates('wp:post_modified', row.updatedAt, site),
    element('wp:comment_status', 'closed'),
    element('wp:ping_status', 'closed'),
    element('wp:post_name', row.slug),
    element('wp:status', statuses[status]),
    fact('wp:post_parent', 0),
    fact('wp:menu_order', 0),
    element('wp:post_type', 'post'),
    element('wp:post_password', ''),
    fact('wp:is_sticky', 0),
  ];
}

function toTerms({ category, tags }: ExportedRow, { terms }: WxrSite): string[] {
  const term = (domain: string, name: string, word: string | undefined) =>
    `<category domain="${domain}" nicename="${escapeXml(word ?? '')}">${cdata(escapeText(name))}</category>`;
  return [
    ...(category ? [term('category', category, terms.categories.get(category))] : []),
    ...(tags ?? []).map((tag) => term('post_tag', tag, terms.tags.get(tag))),
  ];
}

/** The texts for search engines, as the most widespread plugin keeps them. */
function seoFields({ seoTitle, seoDescription, socialImage, canonicalUrl }: ExportedRow, { url }: WxrSite): string[] {
  const image = socialImage?.startsWith('/') ? url + socialImage : socialImage;
  const fields = [
    ['_yoast_wpseo_title', seoTitle && escapeText(seoTitle)],
    ['_yoast_wpseo_metadesc', seoDescription && escapeText(seoDescription)],
    ['_yoast_wpseo_opengraph-image', image],
    ['_yoast_wpseo_canonical', canonicalUrl],
  ] as const;
  return fields.flatMap(([key, value]) => (value ? [customField(key, value)] : []));
}

/** Slugs that a post had before, at which WordPress finds it. */
function formerSlugs(oldPaths: readonly string[]): string[] {
  const start = paths.blog('');
  return oldPaths.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []));
}

function lossesOf(row: ExportedRow): string[] {
  const { slug, imageAlt, imageUrl } = row;
  const texts = [row.title, row.excerpt ?? '', row.content, imageAlt ?? '', row.imageCaption ?? ''];
  return [
    ...(texts.some((text) => cleanCharacters(text) !== text) ? ['signs that no XML can hold'] : []),
    ...findFieldLosses(row),
    ...(imageUrl && imageAlt === '' ? ['that the picture is a decoration'] : []),
    ...(plainSlug.test(slug)
      ? []
      : ['a slug with other signs than a to z, digits and hyphens, which is written otherwise']),
  ];
}

function toComment(
  { sourceId, parentId, author, authorUrl, writtenAt, html }: ExportedPost['comments'][number],
  site: WxrSite,
): string {
  return [
    '<wp:comment>',
    fact('wp:comment_id', sourceId),
    element('wp:comment_author', escapeText(author)),
    element('wp:comment_author_email', ''),
    fact('wp:comment_author_url', authorUrl ?? ''),
    element('wp:comment_author_IP', ''),
    ...toDates('wp:comment_date', writtenAt, site),
    // Words in brackets would be tags there.
    element('wp:comment_content', html.replaceAll('[', '&#91;')),
    element('wp:comment_approved', '1'),
    element('wp:comment_type', 'comment'),
    fact('wp:comment_parent', parentId ?? 0),
    fact('wp:comment_user_id', 0),
    '</wp:comment>',
  ].join('');
}

function toDates(name: string, date: Date, site: WxrSite): string[] {
  return [fact(name, toLocal(date, site)), fact(`${name}_gmt`, date.toISOString().slice(0, 19).replace('T', ' '))];
}

function toLocal(date: Date, { timeZone }: WxrSite): string {
  return format(new TZDate(date, timeZone), 'yyyy-MM-dd HH:mm:ss');
}

function toPubDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}
