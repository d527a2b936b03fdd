import { paths } from '../../shared/paths.js';
import { PAGE_THERE } from '../../shared/contracts/import-report.js';
import { slugify } from '../../shared/slug.js';
import { readGhostContent } from './ghost-content.js';
import { idOf, idsOf, isPage, readPostMeta, withoutMark, type GhostTables, type PostMeta } from './ghost-tables.js';
import { RefusedError, unlessRefused } from '../import.errors.js';
import { leadOuterPlacesOn, leadPlacesOn } from '../heading-places.js';
import { leadLinksOn, toAddressKey } from '../markdown/inner-links.js';
import { ProblemCollector } from '../problem-collector.js';
import { parseRowDate } from '../rows/row-date.js';
import { readText, type Row } from '../rows/row-values.js';
import type { ReaderSettings } from '../source-bytes.js';
import {
  DATED_TODAY,
  DRAFT_THERE,
  readNamed,
  toPageTerms,
  type NamedTexts,
  type OldList,
  type SkippedItem,
  type SourceImage,
  type SourcePost,
} from '../source-post.js';

interface Settings extends ReaderSettings {
  /** Name of the file. */
  readonly file: string;
  readonly tables: GhostTables;
}

/**
 * The post that a row of Ghost's posts is, or why it is none.
 * @param place what a post without a title is called in reports
 * @throws RefusedError with everything that is wrong with it
 */
export function readGhostPost(value: unknown, place: string, settings: Settings): SourcePost | SkippedItem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RefusedError(['it is not an object with the columns of a post']);
  }
  const row: Row = new Map<string, unknown>(Object.entries(value).map(([name, cell]) => [name, withoutMark(cell)]));
  const problems = new ProblemCollector();
  const title = oneLine(problems.read(() => readText(row, 'title')) ?? '');
  const written = problems.read(() => readText(row, 'slug'))?.trim() ?? '';
  const file = title === '' ? place : `${settings.file}: ${title} (${written || idOf(row.get('id'))})`;
  const { pages } = settings;
  if (isPage(row) && pages === undefined) return { file, skipped: PAGE_THERE };
  const warnings: string[] = [];
  const slug = slugify(written) || slugify(title);
  const createdAt = problems.read(() => readMoment(row, 'created_at'));
  const savedAt = unlessRefused(() => readMoment(row, 'updated_at'));
  const key = keyOf(row, problems);
  const meta = settings.tables.meta.get(idOf(row.get('id'))) ?? null;
  const image = problems.read(() => readImage(row, meta)) ?? null;
  const terms = termsOf(row, settings.tables, warnings);
  const post: SourcePost = {
    file,
    itemKey: key,
    formerKeys: [`ghost:${key}`],
    title,
    slug,
    excerpt: oneLine(problems.read(() => readText(row, 'custom_excerpt')) ?? '') || null,
    author: authorsOf(row, settings) || settings.author,
    ...(isPage(row) && pages !== undefined ? toPageTerms(terms, pages) : terms),
    image,
    ...readTexts(row, meta, image, problems.read(() => readCanonical(row, settings.tables, warnings)) ?? ''),
    ...readStatus(row, problems, settings.tables),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(savedAt === undefined ? {} : { savedAt }),
    html: problems.read(() => readBody(row, written, settings.tables, warnings)) ?? '',
    folder: '',
    baseUrl: null,
    oldLists: listsOf(row, settings.tables),
    oldPaths: written === '' ? [] : [`${baseOf(settings.tables)}/${encodeURIComponent(written)}/`],
    warnings,
  };
  if (!settings.tables.isComplete) warnings.push('the file breaks off, so tags and authors of it may be missing');
  if (post.isPublished === true && post.date === undefined) warnings.push(DATED_TODAY);
  noteRest(row, meta, warnings);
  problems.refuse(post.slug || title);
  return post;
}

function readBody(row: Row, slug: string, { address, slugs, places }: GhostTables, warnings: string[]): string {
  const hosts = new Set(URL.canParse(address) ? [new URL(address).host.replace(/^www\./, '')] : []);
  const base = baseOf({ address });
  const find = (path: string) => {
    const inside = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
    const here = slugs.get(toAddressKey(inside));
    return here === undefined ? undefined : paths.blog(here);
  };
  const text = leadPlacesOn(readGhostContent(row, warnings), warnings);
  const led = leadLinksOn(text, slug === '' ? null : `${base}/${slug}/`, { find, hosts }, warnings);
  return leadOuterPlacesOn(led, (here, id) => places.get(here)?.get(id) ?? null);
}

/** The path at which a blog begins that is in a folder of its site, without a slash at its end. */
function baseOf({ address }: Pick<GhostTables, 'address'>): string {
  return URL.canParse(address) ? new URL(address).pathname.replace(/\/+$/, '') : '';
}

function keyOf(row: Row, problems: ProblemCollector): string {
  const key = idOf(row.get('uuid')) || idOf(row.get('id'));
  if (key === '') problems.read(() => fail('it has neither uuid nor id'));
  return key;
}

function fail(reason: string): never {
  throw new RefusedError([reason]);
}

/** ISO 8601 or the database's form, both in UTC; milliseconds since 1970 in old exports. */
function readMoment(row: Row, column: string): Date | undefined {
  const value = row.get(column);
  if (typeof value === 'number' && Math.abs(value) < 8.64e15) return new Date(value);
  const text = readText(row, column)?.trim() ?? '';
  if (text === '') return undefined;
  try {
    return parseRowDate(text, 'UTC');
  } catch (error) {
    if (error instanceof RefusedError) fail(`${column}: ${error.message}`);
    throw error;
  }
}

type Status = Pick<SourcePost, 'date' | 'isPublished' | 'withheld' | 'scheduledAt'>;

function readStatus(row: Row, problems: ProblemCollector, tables: GhostTables): Status {
  const date = problems.read(() => readMoment(row, 'published_at'));
  const status = row.get('status');
  const visibility = row.get('visibility') ?? 'public';
  if (status === 'draft') return { date: undefined, isPublished: false, withheld: DRAFT_THERE };
  const withhold = (withheld: string) => ({ date, isPublished: false, withheld });
  if (status === 'sent' || tables.emailOnly.has(idOf(row.get('id')))) return withhold('is sent by email only there');
  if (visibility !== 'public') return withhold('is not for everybody there');
  if (status === 'published') return { date, isPublished: true };
  if (status !== 'scheduled')
    return withhold(`has the status '${String(status).slice(0, 50)}' there, which is not known`);
  if (date === undefined) return withhold('is planned there for a time that the file does not tell');
  // Those for a mail alone are planned like others, and only a later table says so.
  if (!tables.isComplete)
    return withhold('is planned there, and the file breaks off before it tells whether for a mail alone');
  // Readers of a site that has missed it never saw such a post.
  if (tables.exportedAt !== undefined && date < tables.exportedAt)
    return withhold('was not published there, though its time had come');
  return { date, isPublished: false, scheduledAt: date };
}

/** The first tag that readers see is the category. */
function termsOf(row: Row, tables: GhostTables, warnings: string[]): Pick<SourcePost, 'category' | 'tags'> {
  const ids = idsOf(tables.postTags, idOf(row.get('id')));
  const known = ids.flatMap((id) => tables.tags.get(id) ?? []);
  if (known.length < ids.length) warnings.push('some of its tags are not in the file');
  const internal = known.filter((tag) => tag.isInternal).map(({ name }) => name);
  if (internal.length > 0) warnings.push(`internal tags were not taken: ${internal.join(', ')}`);
  const [category = null, ...tags] = known.filter((tag) => !tag.isInternal).map(({ name }) => name);
  for (const tag of tags) {
    if (tag.includes(',')) warnings.push(`the tag '${tag}' has a comma in it and becomes several`);
  }
  return { category, tags: tags.length > 0 ? tags : null };
}

function authorsOf(row: Row, { tables }: Settings): string {
  const ids = idsOf(tables.postAuthors, idOf(row.get('id')));
  const single = idOf(row.get('author_id'));
  const names = (ids.length > 0 ? ids : [single]).flatMap((id) => tables.users.get(id)?.name ?? []);
  return [...new Set(names)].join(', ');
}

/** The lists of Ghost in which a post stands. */
function listsOf(row: Row, { address, postTags, postAuthors, tags, users }: GhostTables): OldList[] {
  const id = idOf(row.get('id'));
  const named = idsOf(postTags, id).flatMap((tag) => tags.get(tag) ?? []);
  const [writer = idOf(row.get('author_id')), ...others] = idsOf(postAuthors, id);
  const author = others.length > 0 ? undefined : users.get(writer);
  const lists = [
    ...named.filter(({ isInternal }) => !isInternal).map((tag) => ({ ...tag, kind: 'tag' as const })),
    ...(author === undefined ? [] : [{ ...author, kind: 'author' as const }]),
  ];
  return lists.flatMap(({ kind, name, slug }) =>
    slug === '' ? [] : [{ path: `${baseOf({ address })}/${kind}/${encodeURIComponent(slug)}/`, kind, name }],
  );
}

function readImage(row: Row, meta: PostMeta | null): SourceImage | null {
  // Before version 1 it was called so.
  const address = (readText(row, 'feature_image') ?? readText(row, 'image') ?? '').trim();
  return address === '' ? null : { address, alt: meta?.alt ?? null };
}

/** Old exports have these columns with the post; where both have them, Ghost reads the table beside it. */
function readTexts(
  row: Row,
  meta: PostMeta | null,
  image: SourceImage | null,
  canonical: string,
): Pick<SourcePost, 'named'> {
  const own = readPostMeta(row);
  const texts: Partial<NamedTexts> = {
    image_caption: image === null ? null : (meta?.caption ?? own.caption),
    seo_title: meta?.seoTitle ?? own.seoTitle,
    seo_description: meta?.seoDescription ?? own.seoDescription,
    social_image: meta?.socialImage ?? own.socialImage,
    canonical_url: canonical === '' ? null : canonical,
  };
  return readNamed((name) => texts[name] ?? null);
}

/** The address where it was published first; empty when that is the old site, whose posts are here now. */
function readCanonical(row: Row, { address }: GhostTables, warnings: string[]): string {
  const written = (readText(row, 'canonical_url') ?? '').trim();
  const isOwn =
    written.startsWith('/') ||
    (URL.canParse(address) && URL.canParse(written) && new URL(written).host === new URL(address).host);
  if (!isOwn) return written;
  warnings.push(`the canonical_url is on the site that the post comes from and was left out; it was: ${written}`);
  return '';
}

function noteRest(row: Row, meta: PostMeta | null, warnings: string[]): void {
  const own = readPostMeta(row);
  const known = [meta?.seoTitle ?? own.seoTitle, meta?.seoDescription ?? own.seoDescription];
  const lost = [...new Set([...(meta?.previews ?? []), ...own.previews])].filter((text) => !known.includes(text));
  if (lost.length > 0)
    warnings.push(`what previews of links say was not taken: ${lost.map((text) => `'${text}'`).join(', ')}`);
  const otherImage = meta?.otherImage ?? own.otherImage;
  if (otherImage !== null)
    warnings.push(`the picture of previews on X, which is another one, was not taken: ${otherImage}`);
  if (row.get('featured') === true || row.get('featured') === 1)
    warnings.push('is featured there, which themes show in a place of its own; here posts stand by their dates');
  const hasCode = ['codeinjection_head', 'codeinjection_foot'].some((name) => Boolean(row.get(name)));
  if (hasCode) warnings.push('code that is added to its page there was not taken');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
