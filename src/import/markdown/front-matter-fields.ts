import { toTags } from '../../shared/contracts/post-input.js';
import { isRecord } from '../../shared/is-record.js';
import { slugify } from '../../shared/slug.js';
import { RefusedError } from '../import.errors.js';
import { readFormerPaths } from '../former-paths.js';
import { readPublication } from './front-matter-publication.js';
import { oneLine, readList, readPublishedDate, readText, toText, type FrontMatter } from './front-matter-values.js';
import type { Generator } from './site-settings.js';
import { plainLine } from './plain-line.js';
import { languageInPath } from '../source-choices.js';
import { dateInPath, parsePostDate, splitDatedName } from '../post-date.js';
import { readNamed, type SourceImage, type SourcePost, type SourceSettings } from '../source-post.js';

/** The fields in the front matter and in the file's name. */
export type FrontMatterFields = Pick<
  SourcePost,
  | 'title'
  | 'slug'
  | 'language'
  | 'excerpt'
  | 'author'
  | 'category'
  | 'tags'
  | 'named'
  | 'image'
  | 'date'
  | 'updatedAt'
  | 'isPublished'
  | 'withheld'
  | 'scheduledAt'
  | 'oldPaths'
  | 'warnings'
>;

const DATES =
  'date publishDate publishdate publish_date pubDate pubdate pubDatetime published_at publishedAt publishedDate'.split(
    ' ',
  );
/** Fields that say when a text was written, which pages have as well, where none says when it was published. */
const CREATIONS = 'created created_at createdAt dateCreated date_created datePublished date_published posted'.split(
  ' ',
);
/** Words of Eleventy for times of the file, which are those of its copy here. */
const TIME_OF_FILE = /^(?:git )?(?:created|last modified)$/i;
/** Fields with the address of a post. */
const ADDRESSES = ['path', 'permalink', 'url'];
const CHANGES = 'updated lastmod last_modified_at modified updatedDate updatedAt modDatetime modDate'.split(' ');
const IMAGES =
  'image featured_image featuredImage feature_image heroImage coverImage cover thumbnail header images'.split(' ');

/** Names that themes of Jekyll give the picture above a text, and the one in lists where there is no other. */
const THEMED_IMAGES = ['overlay_image', 'feature', 'teaser', 'thumbnail', 'thumb'];

/**
 * Reads the fields, whatever they are called in the generators that posts come from.
 * @param file relative path with `/`; its name gives slug and date when the front matter does not
 * @param settings with the name of the folder that is imported, which may say something too
 * @param generator undefined when it is not known
 * @param now what is to be published later was planned
 * @throws RefusedError for values that are no text, no date, no yes or no
 */
export function readFields(
  written: FrontMatter,
  file: string,
  { author, timeZone, folder = '' }: SourceSettings & { readonly folder?: string },
  generator?: Generator,
  now = new Date(),
): FrontMatterFields {
  const isZola =
    generator === 'zola' ||
    (generator === undefined &&
      (typeof written['path'] === 'string' || ['taxonomies', 'extra'].some((name) => isRecord(written[name]))));
  const frontMatter = withPlainDate(isZola ? flatten(written) : written);
  const writtenTitle = oneLine(readText(frontMatter, 'title'));
  const title = plainLine(writtenTitle);
  const writtenExcerpt = oneLine(readText(frontMatter, 'excerpt', 'description', 'summary'));
  const excerpt = plainLine(writtenExcerpt);
  const language = readText(frontMatter, 'lang', 'language', 'locale') || languageInPath(`${folder}/${file}`);
  const names = readTerms(frontMatter, generator);
  const [category = null, ...others] = names.categories;
  const { oldPaths, warnings } = readFormerPaths(frontMatter, isZola ? 'zola' : generator);
  const toDate = (text: string) => parsePostDate(text, timeZone);
  const date = dateOf(frontMatter, file, toDate);
  const change = readChange(frontMatter, toDate);
  const publication = readPublication(written, { file: `${folder}/${file}`, date, now, toDate });
  return {
    title,
    slug: slugify(nameForSlug(frontMatter, file, title)),
    ...(language === undefined ? {} : { language }),
    excerpt: excerpt || null,
    author: oneLine(readAuthors(frontMatter)) || author,
    category,
    tags: toTags([...names.tags, ...others]) as string[] | null,
    ...readNamed((name, { kind }) =>
      kind === 'words' ? (toTags(readList(frontMatter, name)) ?? null) : readText(frontMatter, name) || null,
    ),
    image: readImage(frontMatter),
    date,
    ...(change.updatedAt === undefined ? {} : { updatedAt: change.updatedAt }),
    ...publication,
    oldPaths,
    warnings: [
      ...warnings,
      ...(title === writtenTitle ? [] : [`markup was taken off the title; it was: ${writtenTitle}`]),
      ...(excerpt === writtenExcerpt ? [] : [`markup was taken off the excerpt; it was: ${writtenExcerpt}`]),
      ...publication.warnings,
      ...change.warnings,
      ...(others.length > 0 ? [`other categories became tags: ${others.join(', ')}`] : []),
    ],
  };
}

/** The words of which a post's slug is made: what the front matter says, the name of the file, or the title. */
export function nameForSlug(frontMatter: FrontMatter, file: string, title: string): string {
  const written = readText(frontMatter, 'slug') || splitDatedName(postName(file)).rest;
  return slugify(written) === '' ? title : written;
}

/** Returns true when the file names a date of publication, as posts do and pages do not. */
export function isDated(frontMatter: FrontMatter, file: string): boolean {
  const isSaid = DATES.some((name) => frontMatter[name] != null) || readPublishedDate(frontMatter) !== '';
  return isSaid || splitDatedName(postName(file)).date !== undefined;
}

/** The names of categories and tags. Jekyll takes each word of a text for one, but for the text of a single category or tag. */
export function readTerms(
  frontMatter: FrontMatter,
  generator?: Generator,
): { readonly categories: string[]; readonly tags: string[] } {
  const isJekyll = generator === 'jekyll';
  const read = (name: string) => {
    const value = frontMatter[name];
    const isOfWords = isJekyll && typeof value === 'string' && !value.includes(',');
    return (isOfWords ? value.split(/\s+/).filter(Boolean) : readList(frontMatter, name)).map(oneLine);
  };
  const categories = readList(frontMatter, 'category').map(oneLine);
  const tags = read('tags');
  return {
    categories: categories.length > 0 ? categories : read('categories'),
    tags: tags.length === 0 && isJekyll ? readList(frontMatter, 'tag').map(oneLine) : tags,
  };
}

/** Zola keeps what it does not know itself, and the terms of a post, in tables of their own. */
function flatten(frontMatter: FrontMatter): FrontMatter {
  const { taxonomies, extra } = frontMatter;
  return { ...(isRecord(extra) ? extra : {}), ...(isRecord(taxonomies) ? taxonomies : {}), ...frontMatter };
}

/** The title that Jekyll makes of a file's name: its words, each with a capital. */
export function titleOfName(file: string): string {
  const words = splitDatedName(postName(file)).rest.split(/[-_\s]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** The file's name without its ending; that of its folder for an index file, with the language that the file names. */
function postName(file: string): string {
  const parts = file.split('/');
  const name = (parts.at(-1) ?? '').replace(/\.[^.]+$/, '');
  if (!isIndexName(name)) return name;
  const [, language = ''] = /(\..*)$/.exec(name) ?? [];
  return (parts.at(-2) ?? 'index') + language;
}

/** Returns true for the name of an index file, without its ending: `index`, or `index.de` in a language. */
export function isIndexName(name: string): boolean {
  const isInLanguage = /^_?index\.[^.]+$/i.test(name) && languageInPath(`${name}.md`) !== undefined;
  return isInLanguage || /^(?:index|readme)$/i.test(name);
}

/** One name, or several joined by commas; a name may be an entry with a `name` in it. */
function readAuthors(frontMatter: FrontMatter): string {
  for (const field of ['author', 'authors']) {
    const value = frontMatter[field];
    const people: unknown[] = Array.isArray(value) ? value : [value];
    const names = people.map((person) => toText(field, nameOf(person))).filter((name) => name !== '');
    if (names.length > 0) return names.join(', ');
  }
  return '';
}

function nameOf(person: unknown): unknown {
  return isRecord(person) ? (person['name'] ?? person['key'] ?? person['title'] ?? person) : person;
}

function readImage(frontMatter: FrontMatter): SourceImage | null {
  for (const name of IMAGES) {
    const value: unknown = frontMatter[name];
    const entry: unknown = Array.isArray(value) ? value[0] : value;
    const { path, src, url, image, alt, ...ofThemes } = isRecord(entry) ? entry : { path: entry };
    const themed = THEMED_IMAGES.map((field) => ofThemes[field]).find((found) => typeof found === 'string');
    const address = toText(name, path ?? src ?? url ?? image ?? themed);
    if (address === '') continue;
    const words = toText(name, alt) || readText(frontMatter, `${name}_alt`, `${name}Alt`, 'image_alt', 'imageAlt');
    return { address, alt: oneLine(words) || null };
  }
  return null;
}

/** Material for MkDocs has all dates of a post in one field. */
function withPlainDate(frontMatter: FrontMatter): FrontMatter {
  const { date } = frontMatter;
  if (!isRecord(date) || date['created'] === undefined) return frontMatter;
  return { updated: date['updated'], ...frontMatter, date: date['created'] };
}

/** The last change, which is worth no post: what is no date is named. */
function readChange(frontMatter: FrontMatter, toDate: (text: string) => Date) {
  const written = readText(frontMatter, ...CHANGES);
  if (written === '' || TIME_OF_FILE.test(written)) return { warnings: [] };
  const updatedAt = dateOrNothing(written, toDate);
  return updatedAt === undefined
    ? { warnings: [`the time of its last change was not taken, as it is no date: ${written.slice(0, 100)}`] }
    : { updatedAt, warnings: [] };
}

function dateOrNothing(text: string, toDate: (text: string) => Date): Date | undefined {
  try {
    return toDate(text);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return undefined;
  }
}

function dateOf(frontMatter: FrontMatter, file: string, toDate: (text: string) => Date): Date | undefined {
  const written = readText(frontMatter, ...DATES) || readPublishedDate(frontMatter);
  const said = (TIME_OF_FILE.test(written) ? '' : written) || splitDatedName(postName(file)).date;
  if (said) return toDate(said);
  // Sites whose addresses have the day leave it out elsewhere; folders may be sorted by it as well.
  const places = [...ADDRESSES.map((name) => frontMatter[name]), file];
  const days = places.map((place) => (typeof place === 'string' ? dateInPath(place) : undefined));
  const day = days.find((found) => found !== undefined);
  if (day !== undefined) return toDate(day);
  const creations = CREATIONS.map((name) => frontMatter[name]).filter((value) => typeof value === 'string');
  return creations.map((text) => dateOrNothing(text, toDate)).find((found) => found !== undefined);
}
