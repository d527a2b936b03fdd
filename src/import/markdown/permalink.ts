import { posix } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import { losesLetters, slugify } from '../../shared/slug.js';
import { splitDatedName, writtenDay } from '../post-date.js';
import { languageInPath } from '../source-choices.js';
import { withSmallNames } from './front-matter-publication.js';
import { readFlag, readList, readText, type FrontMatter } from './front-matter-values.js';
import {
  jekyllSlug,
  jekyllTitle,
  patternOfJekyll,
  placeInJekyll,
  readJekyllToken,
  titleOfHexo,
} from './jekyll-permalink.js';
import { isHexo, type SiteSettings } from './site-settings.js';

/** The parts of a post that addresses are made of. */
export interface PermalinkPost {
  /** Path from the site's folder, with `/`. */
  readonly file: string;
  readonly frontMatter: FrontMatter;
  readonly title: string;
  readonly date: Date | undefined;
}

export interface PermalinkOptions {
  /** Null when nothing is known of the site. */
  readonly site: Pick<SiteSettings, 'generator' | 'values'> | null;
  /** The pattern of the operator, which comes before that of the site. */
  readonly pattern: string | undefined;
}

const token = /:(sections\[[^\]]*\]|[a-z_]+)/g;
const variables = /:[a-z_]{3,}/;

/**
 * Returns the path that a post had on its site by the pattern of its generator: of the operator, the front matter, or the
 * configuration of Jekyll (its defaults too), Hugo or Zola. Null where none is known, or it has parts that are not.
 */
export function permalinkOf(post: PermalinkPost, { site, pattern }: PermalinkOptions): string | null {
  const found = pattern ?? patternOf(post, site);
  if (found === null) return null;
  const values = new PermalinkValues(post, site);
  const unknown: string[] = [];
  const path = found.replace(token, (written, name: string) => {
    const value = values.read(name);
    if (value === null) unknown.push(name);
    return value ?? written;
  });
  if (unknown.length > 0) return null;
  const isWhole = pattern !== undefined && site?.generator !== 'jekyll';
  const base = site === null || isWhole ? '' : basePathOf(site);
  const isMade = pattern === undefined && readText(post.frontMatter, 'url') === '';
  const named = isMade && site?.generator === 'hugo' && isUgly(post.file, site) ? toUgly(path) : path;
  const whole = `/${base}/${named}`.replace(/\/{2,}/g, '/');
  return whole === '/' ? null : toPathname(whole);
}

/** A path as browsers ask for it. Signs in names that would end it there are a part of it. */
export function toPathname(path: string): string {
  return new URL(path.replace(/[#?]/g, encodeURIComponent), 'https://site.invalid').pathname;
}

/** The path at which a site begins, without a slash at its end; empty where it is all that its host has. */
export function basePathOf(site: Pick<SiteSettings, 'generator' | 'values'>): string {
  const { generator, values } = site;
  const written = readText(values, generator === 'zola' ? 'base_url' : isHexo(site) ? 'root' : 'baseurl').trim();
  const path = /^https?:\/\//i.test(written) && URL.canParse(written) ? new URL(written).pathname : written;
  return generator === 'jekyll' || path.startsWith('/') ? path.replace(/\/+$/, '') : '';
}

function patternOf(post: PermalinkPost, site: PermalinkOptions['site']): string | null {
  if (site?.generator === 'jekyll') return patternOfJekyll(post.file, post.frontMatter, site.values);
  const own = readText(post.frontMatter, 'permalink', 'url');
  if (variables.test(own)) return own;
  // An address without variables is kept by itself.
  if (own !== '' || site === null) return null;
  switch (site.generator) {
    case 'hugo':
      return patternOfHugo(post, site);
    case 'zola':
      if (typeof post.frontMatter['path'] === 'string') return null;
      return '/:language/:sections/:contentbasename/';
  }
}

function patternOfHugo({ file }: PermalinkPost, site: NonNullable<PermalinkOptions['site']>): string {
  const { values } = site;
  const section = sectionsOf(file, site)[0] ?? '';
  const all = isRecord(values['permalinks']) ? values['permalinks'] : {};
  const pages = isRecord(all['page']) ? all['page'] : {};
  const set = pages[section || '/'] ?? all[section || '/'];
  const pattern = typeof set === 'string' ? set : '/:sections/:slugorcontentbasename/';
  return `/:language/${pattern}`;
}

/** Returns true if Hugo writes the pages of this section as files: `/posts/name.html`. */
function isUgly(file: string, site: NonNullable<PermalinkOptions['site']>): boolean {
  const set = site.values['uglyurls'];
  return isRecord(set) ? readFlag(set, sectionsOf(file, site)[0] ?? '') === true : String(set) === 'true';
}

function toUgly(path: string): string {
  return /\.html?$/.test(path) ? path : `${path.replace(/\/+$/, '')}.html`;
}

/** Folders between that of all texts, or of those in a language, and the file. */
function foldersInContent(file: string, site: PermalinkOptions['site']): string[] {
  const folder = posix.dirname(file);
  const own = contentFolderOf(file, site);
  const inside = own === undefined ? folder : posix.relative(own.folder, folder);
  const parts = inside.split('/').filter((part) => part !== '.' && part !== '');
  return own === undefined ? parts.slice(parts.lastIndexOf('content') + 1) : parts;
}

/** The folder of texts that the configuration of Hugo names, of several the innermost, with the language whose it is. */
function contentFolderOf(file: string, site: PermalinkOptions['site']) {
  if (site?.generator !== 'hugo') return undefined;
  const { languages } = site.values;
  const ofLanguages = Object.entries(isRecord(languages) ? languages : {}).map(([language, settings]) => ({
    language,
    folder: isRecord(settings) ? readText(withSmallNames(settings), 'contentdir') : '',
  }));
  return [{ language: undefined, folder: readText(site.values, 'contentdir') }, ...ofLanguages]
    .map(({ language, folder }) => ({ language, folder: posix.join('.', folder).replace(/\/$/, '') }))
    .filter(({ folder }) => folder !== '.' && file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Folders between that of all texts and the post; a bundle is the post itself. */
function sectionsOf(file: string, site: PermalinkOptions['site']): string[] {
  const isBundle = /^index(?:\.[^.]+)*$/.test(posix.basename(file));
  return foldersInContent(file, site)
    .slice(0, isBundle ? -1 : undefined)
    .filter((part, index) => index > 0 || !isLanguageFolder(part, site));
}

/**
 * The language with which the address of a post begins: none where it is that of posts that name none, or one that the site does not
 * have. A folder below others, such as `blog/it`, is a section.
 */
function languageInAddress(file: string, site: PermalinkOptions['site']): string {
  if (site === null || site.generator === 'jekyll') return languageInPath(file) ?? '';
  const inName = languageInPath(posix.basename(file));
  const [first = ''] = foldersInContent(file, site);
  const ofFolder = contentFolderOf(file, site)?.language ?? (isLanguageFolder(first, site) ? first : undefined);
  const language = inName ?? ofFolder;
  if (language === undefined || !isLanguageOf(language, site)) return '';
  const isInFolder = site.generator === 'hugo' && readFlag(site.values, 'defaultcontentlanguageinsubdir') === true;
  return isDefaultLanguage(language, site) && !isInFolder ? '' : language;
}

/** The language of a text of Hugo by its name or its folder; undefined where neither names one. */
export function languageOfHugo(file: string, values: FrontMatter): string | undefined {
  const site = { generator: 'hugo', values } as const;
  const [first = ''] = foldersInContent(file, site);
  const ofFolder = contentFolderOf(file, site)?.language ?? (isLanguageFolder(first, site) ? first : undefined);
  return languageInPath(posix.basename(file)) ?? ofFolder;
}

/** The sections that a pattern chooses, as Hugo counts them: `[0]`, `[1:]`, `[:last]`. */
function sliceOf<T>(list: readonly T[], range: string): readonly T[] | null {
  const [, from, colon, to] = /^\[(\d+|last)?(:)?(\d+|last)?\]$/.exec(range) ?? [];
  const place = (text: string) => (text === 'last' ? list.length - 1 : Number(text));
  if (colon === undefined) return from === undefined ? null : list.slice(place(from), place(from) + 1);
  return list.slice(from === undefined ? 0 : place(from), to === undefined ? undefined : place(to));
}

/** Zola has languages in the names of files alone. */
function isLanguageFolder(name: string, site: PermalinkOptions['site']): boolean {
  if (site?.generator === 'zola' || languageInPath(`${name}/x`) === undefined) return false;
  return site === null || isLanguageOf(name, site);
}

/** Returns true for a language that a site has, or may have if its configuration names none. */
function isLanguageOf(name: string, site: NonNullable<PermalinkOptions['site']>): boolean {
  const { languages } = site.values;
  if (!isRecord(languages) || isDefaultLanguage(name, site)) return true;
  return Object.keys(languages).some((other) => other.toLowerCase() === name.toLowerCase());
}

function isDefaultLanguage(name: string, { values }: NonNullable<PermalinkOptions['site']>): boolean {
  const set = readText(values, 'defaultcontentlanguage', 'default_language') || 'en';
  return name.toLowerCase() === set.toLowerCase();
}

const tokens = new Set(
  (
    'title slug filename contentbasename slugorfilename slugorcontentbasename name output_ext section sections categories ' +
    'slugified_categories language lang year short_year month i_month short_month long_month weekday weekdayname monthname ' +
    'day i_day yearday y_day collection path folder basename'
  ).split(' '),
);

/** Returns why a pattern of the operator gives no post its address; null for one that may. */
export function problemOfPattern(pattern: string): string | null {
  const names = [...pattern.matchAll(token)].map(([, name = '']) => name);
  const unknown = names.find((name) => !tokens.has(name.replace(/^sections\[.*\]$/, 'sections')));
  if (unknown !== undefined)
    return `':${unknown}' is no part of an address that is known, such as :year, :month, :slug or :title`;
  if (names.length === 0) return 'has to name what differs between posts, such as :slug or :title';
  return /[?#]/.test(pattern) ? "has to be a path, without '?' and '#'" : null;
}

/** The values of a pattern's tokens; null for those that are not known. */
class PermalinkValues {
  private readonly name: string;

  constructor(
    private readonly post: PermalinkPost,
    private readonly site: PermalinkOptions['site'],
  ) {
    const { file } = post;
    const language = languageInPath(posix.basename(file));
    const base = posix.basename(file).replace(/\.[^.]+$/, '');
    const name = language === undefined ? base : base.slice(0, -language.length - 1);
    this.name = name === 'index' ? (posix.dirname(file).split('/').at(-1) ?? name) : name;
  }

  read(token: string): string | null {
    const { file, frontMatter, title } = this.post;
    const slug = readText(frontMatter, 'slug');
    const fileSlug = splitDatedName(this.name).rest;
    const isJekyll = this.site?.generator === 'jekyll';
    const ofJekyll = isJekyll ? readJekyllToken(token, file, this.site.values) : undefined;
    if (ofJekyll !== undefined) return ofJekyll;
    switch (token) {
      case 'title':
        if (isHexo(this.site)) return titleOfHexo(file, this.site?.values ?? {});
        return this.site?.generator === 'hugo' ? urlize(title) : jekyllTitle(slug || fileSlug);
      case 'slug':
        if (isJekyll) return jekyllSlug(slug || fileSlug);
        return this.site?.generator === 'hugo' ? urlize(slug || title) : slugify(slug || fileSlug);
      case 'filename':
      case 'contentbasename':
        return this.site?.generator === 'zola' ? slugOfZola(slug || fileSlug, this.site.values) : urlize(this.name);
      case 'slugorfilename':
      case 'slugorcontentbasename':
        return urlize(slug || this.name);
      case 'name':
        return fileSlug;
      case 'output_ext':
        return '.html';
      case 'section':
        return sectionsOf(file, this.site)[0] ?? '';
      case 'sections':
        return sectionsOf(file, this.site).map(urlize).join('/');
      case 'categories':
        return this.categories()
          .map((name) => (isJekyll ? name.toLowerCase() : slugify(name)))
          .join('/');
      case 'slugified_categories':
        return this.categories().map(jekyllSlug).join('/');
      case 'language':
      case 'lang':
        return languageInAddress(file, this.site);
      default: {
        const range = /^sections(\[.*\])$/.exec(token)?.[1];
        if (range === undefined) return this.readDate(token);
        return sliceOf(sectionsOf(file, this.site), range)?.map(urlize).join('/') ?? null;
      }
    }
  }

  /** Jekyll takes the folders above `_posts` for categories, too. */
  private categories(): string[] {
    const { file, frontMatter } = this.post;
    const { above } = placeInJekyll(file, this.site?.values ?? {});
    const written = readList(frontMatter, 'categories', 'category');
    // A text of several words is several categories there.
    const words =
      typeof frontMatter['categories'] === 'string' ? written.flatMap((text) => text.split(/\s+/)) : written;
    return [...new Set([...above, ...words])];
  }

  /** Days as they are written: the zone in which a generator ran is not known. */
  private readDate(token: string): string | null {
    const { date, frontMatter } = this.post;
    const written = readText(frontMatter, 'date') || splitDatedName(this.name).date;
    const [y, m, d] = writtenDay(written ?? '') ?? [];
    const [year, month, day] = [
      Number(y ?? date?.getUTCFullYear()),
      Number(m ?? (date?.getUTCMonth() ?? 0) + 1),
      Number(d ?? date?.getUTCDate()),
    ];
    if (Number.isNaN(year) || Number.isNaN(day)) return null;
    const moment = new Date(Date.UTC(year, month - 1, day));
    const two = (number: number) => String(number).padStart(2, '0');
    const values: Readonly<Record<string, string>> = {
      year: String(year),
      short_year: two(year % 100),
      month: two(month),
      i_month: String(month),
      short_month: moment.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' }),
      long_month: moment.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }),
      weekday: String(moment.getUTCDay()),
      weekdayname: moment.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase(),
      monthname: moment.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
      day: two(day),
      i_day: String(day),
      yearday: String(dayOfYear(moment)),
      y_day: String(dayOfYear(moment)).padStart(3, '0'),
    };
    return values[token] ?? null;
  }
}

function dayOfYear(date: Date): number {
  return Math.round((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 0)) / 86_400_000);
}

/** Letters that lose more than a mark where Zola writes them in ASCII. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i', ħ: 'h' },
};

/** As Zola writes names in addresses; null for letters whose spelling in ASCII is not known, and signs that its settings treat in ways of their own. */
function slugOfZola(name: string, { slugify: settings }: FrontMatter): string | null {
  const strategy = isRecord(settings) ? readText(settings, 'paths') : '';
  if (strategy === 'off' || strategy === 'safe') return /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? name : null;
  const latin = name.toLowerCase().replace(/[ßæœøđðłþıħ]/g, (letter) => LATIN[letter] ?? letter);
  return losesLetters(latin) ? null : slugify(latin);
}

/** As Hugo writes names in addresses. */
export function urlize(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}._/#+~-]/gu, '');
}
