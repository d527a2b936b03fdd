import { posix } from 'node:path';
import type { SourceChoices } from '../shared/contracts/import-report.js';
import { formatMoment } from '../shared/moments.js';
import { slugify } from '../shared/slug.js';
import { renameLists } from './old-lists.js';
import type { OldList, PostSource, SourceItem, SourcePost } from './source-post.js';

/** Folders of generators, which say nothing about the posts in them. */
const GENERATOR_FOLDERS = new Set([
  '',
  '.',
  '_posts',
  '_drafts',
  'content',
  'posts',
  'post',
  'blog',
  'src',
  'source',
  'pages',
  'data',
]);
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * The source, as the operator wants it: other items are skipped by their reason. Names that are renamed and that nothing has are told of at
 * the end, as they are likely misspelled.
 * @param timeZone of the days that reasons name
 */
export function chosenFrom(source: PostSource, choices: SourceChoices, timeZone = 'UTC'): PostSource {
  return {
    ...source,
    async *read(handleProgress, sourceName) {
      const authors = new Set(choices.authors?.keys());
      const tags = new Set(choices.tags?.keys());
      for await (const item of source.read(handleProgress, sourceName)) {
        if ('itemKey' in item) {
          for (const name of [item.author, ...item.author.split(', ')]) authors.delete(name);
          for (const name of item.tags ?? []) tags.delete(name);
        }
        yield choose(item, choices, timeZone);
      }
      for (const name of authors) yield { file: '--map-author', skipped: `no post has the author '${name}'` };
      for (const name of tags) yield { file: '--map-tag', skipped: `no post has the tag '${name}'` };
    },
  };
}

function choose(item: SourceItem, choices: SourceChoices, timeZone: string): SourceItem {
  if (!('itemKey' in item)) return item;
  const skipped = whyNotChosen(item, choices, timeZone);
  if (skipped === null) return rename(item, choices);
  const { file, fileNotes } = item;
  return { file, skipped, ...(fileNotes === undefined ? {} : { fileNotes }) };
}

function whyNotChosen(post: SourcePost, { language, since, only }: SourceChoices, timeZone: string): string | null {
  if (only !== undefined && !only.some((pattern) => isNamed(post, pattern))) return 'not named by --only';
  if (since !== undefined && post.date !== undefined && post.date < since) {
    return `is of ${formatMoment(post.date, timeZone).slice(0, 10)}, before --since`;
  }
  if (language === undefined || `${spell(post.language ?? '')}-`.startsWith(`${spell(language)}-`)) return null;
  return post.language === undefined ? 'says no language (--language)' : `is in '${post.language}' (--language)`;
}

/** Patterns name the file, its place in the source or the slug; a star is any text. */
function isNamed({ file, slug }: SourcePost, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^(?:.*/)?${parts.join('.*')}$`, 'is');
  return [file, slug].some((name) => expression.test(name));
}

function rename(post: SourcePost, choices: SourceChoices): SourcePost {
  const { authors, tags, categoryFrom } = choices;
  const section = categoryFrom === 'folder' ? sectionOf(post) : undefined;
  return {
    ...post,
    slug: chooseSlug(post, choices),
    ...(authors === undefined ? {} : { author: renameAuthors(post.author, authors) }),
    ...(tags === undefined ? {} : { tags: renameTags(post.tags, tags) }),
    ...(section === undefined ? {} : { category: section }),
    ...(post.oldLists === undefined
      ? {}
      : { oldLists: renameLists(post.oldLists, (list) => renameList(list, choices)) }),
  };
}

/**
 * The slug of a post with what the operator puts before and behind it, in which `:language` and `:folder` stand for
 * those of the post.
 */
export function chooseSlug(
  post: Pick<SourcePost, 'slug' | 'file' | 'folder' | 'language'>,
  { slugPrefix = '', slugSuffix = '' }: SourceChoices,
): string {
  if (slugPrefix === '' && slugSuffix === '') return post.slug;
  const fill = (pattern: string) =>
    slugify(pattern.replace(/:language/g, post.language ?? '').replace(/:folder/g, sectionOf(post) ?? ''));
  return [fill(slugPrefix), post.slug, fill(slugSuffix)].filter((part) => part !== '').join('-');
}

/** The first name in a pattern of slugs that stands for nothing, with its colon; null where there is none. */
export function unknownNameIn(pattern: string): string | null {
  return pattern.replace(/:(?:language|folder)/g, '').match(/:[a-z_]+/i)?.[0] ?? null;
}

function renameList({ kind, name }: OldList, { authors, tags }: SourceChoices): string {
  if (kind === 'author') return authors === undefined ? name : renameAuthors(name, authors);
  return kind === 'tag' ? (tags?.get(name) ?? name) : name;
}

function renameAuthors(written: string, authors: ReadonlyMap<string, string>): string {
  const whole = authors.get(written);
  if (whole !== undefined) return whole;
  return written
    .split(', ')
    .map((name) => authors.get(name) ?? name)
    .join(', ');
}

/** Tags under their new names; those that are to be nothing go. */
function renameTags(written: readonly string[] | null, tags: ReadonlyMap<string, string>): string[] | null {
  const renamed = (written ?? []).map((tag) => tags.get(tag) ?? tag).filter((tag) => tag !== '');
  return renamed.length === 0 ? null : [...new Set(renamed)];
}

/** The folder that sorts a post: the last one above it that neither a generator nor a language nor a date has made. */
function sectionOf({ folder, file }: Pick<SourcePost, 'folder' | 'file'>): string | undefined {
  // The folder of an index is that of the post itself.
  const isBundle = /(?:^|\/)index(?:\.[^/.]+)*$/.test(file);
  const sections = folder.split('/').slice(0, isBundle ? -1 : undefined);
  return sections.findLast((name) => !GENERATOR_FOLDERS.has(name) && !isLanguage(name) && !/^\d+$/.test(name));
}

/** The language in a path: `post.de.md`, or a folder such as `de` or `pt-br`; undefined where there is none. */
export function languageInPath(file: string): string | undefined {
  const inName = /\.([^.]+)\.[^.]+$/.exec(posix.basename(file))?.[1];
  return [inName, ...posix.dirname(file).split('/')].find((part) => part !== undefined && isLanguage(part));
}

function isLanguage(name: string): boolean {
  // Words of three letters are folders more often than languages.
  if (!/^(?:[a-z]{2}|[a-z]{2,3}[-_][a-z]{2,4})$/i.test(name)) return false;
  return languageNames.of(spell(name)) !== undefined;
}

function spell(language: string): string {
  return language.replaceAll('_', '-').toLowerCase();
}
