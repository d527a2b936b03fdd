import { isRecord } from '../../shared/is-record.js';
import { readFlag, readList, readPublishedDate, readText, type FrontMatter } from './front-matter-values.js';
import { RefusedError } from '../import.errors.js';
import { DRAFT_THERE, type SourcePost } from '../source-post.js';

/** The publication of a post according to its front matter. */
export interface FrontMatterPublication extends Pick<SourcePost, 'isPublished' | 'withheld' | 'scheduledAt'> {
  readonly warnings: readonly string[];
}

interface PublicationContext {
  /** Relative path with `/`, with the folder that is imported in front. */
  readonly file: string;
  readonly date: Date | undefined;
  readonly now: Date;
  readonly toDate: (text: string) => Date;
}

/** Every field under its name in small letters, as Hugo takes them: `Draft` is `draft`. */
export function withSmallNames(frontMatter: FrontMatter): FrontMatter {
  return Object.fromEntries([
    ...Object.entries(frontMatter).map(([name, value]) => [name.toLowerCase(), value] as const),
    ...Object.entries(frontMatter).filter(([name]) => name === name.toLowerCase()),
  ]);
}

const YES = /^(?:true|yes|on|y|1)$/i;
const NO = /^(?:false|no|off|n|0)$/i;
/** Fields of sites that choose their own, as those of Astro do. */
const DRAFT_MARKS = ['isdraft', 'is_draft'];
/** Marks of themes and generators that keep a post from being listed or made at all. */
export const MARKS =
  'private isprivate is_private hidden ishidden is_hidden unlisted unpublished headless secret internal premium paid restricted protected encrypted locked hide encrypt paywall membersonly members_only members-only'.split(
    ' ',
  );
/** Marks that say the same with a no. */
export const OPEN_MARKS =
  'listed visible routable public ispublic is_public ispublished is_published live enabled'.split(' ');
/** Fields with a word that says who can read a post. */
export const STATES = ['status', 'visibility', 'access', 'audience', 'state', 'stage'];
/** Fields with the time from which a post can be read, beside its date. */
const TIMES = 'pubdate publishat publish_at publishon publish_on published publishedat published_at'.split(' ');
/** Files that Astro leaves out of a site by their names, or by that of a folder. */
const LEFT_OUT = /(?:^|\/)src\/(?:content|pages)\/(?:.*\/)?_/;
const CLOSED =
  /^(?:draft|private|hidden|pending|review|unpublished|unlisted|archived|(?:members?|subscribers?|paid|premium)(?:[-_ ]?only)?|restricted|protected|internal|secret|password|future|scheduled|trash|deleted|inactive|disabled|skip)$/i;
const IN_NO_LIST = 'is in no list there';
const OPEN = /^(?:publish|published|public)$/i;

/**
 * Reads whether readers of the old site see a post. What only one generator understands counts wherever it is: a post
 * that comes as a draft by mistake is published in a moment, the other mistake is not taken back.
 * @throws RefusedError for values that are no date, no yes or no
 */
export function readPublication(written: FrontMatter, context: PublicationContext): FrontMatterPublication {
  const frontMatter = withSmallNames(written);
  const { date, now, toDate } = context;
  const moment = (...names: string[]) => {
    const text = readText(frontMatter, ...names);
    return text === '' ? undefined : toDate(text);
  };
  const expiry = moment('expirydate', 'expiry_date', 'unpublishdate');
  const withheld = whyWithheld(frontMatter, context) ?? whyExpired(expiry, now);
  if (withheld !== undefined) return { isPublished: false, withheld, warnings: [] };
  const isPublished = saysPublished(frontMatter);
  // Generators build what is dated later only when its time has come.
  const times = TIMES.flatMap((name) => timeIn(frontMatter[name], toDate) ?? []);
  const planned = times.find((time) => time > now) ?? moment('publishdate', 'publish_date') ?? date;
  return {
    isPublished,
    ...(planned !== undefined && planned > now ? { scheduledAt: planned } : {}),
    warnings: expiry === undefined ? [] : [`is taken down there at ${expiry.toISOString()}; here it stays`],
  };
}

/** The time that a field says which some sites use otherwise; undefined where it is none. */
function timeIn(value: unknown, toDate: PublicationContext['toDate']): Date | undefined {
  if (typeof value !== 'string' || !/\d{4}/.test(value)) return undefined;
  try {
    return toDate(value);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return undefined;
  }
}

function whyWithheld(frontMatter: FrontMatter, { file }: PublicationContext): string | undefined {
  if (/(?:^|\/)_drafts\//i.test(file) || readFlag(frontMatter, 'draft') === true) return DRAFT_THERE;
  if (DRAFT_MARKS.some((name) => YES.test(plainText(frontMatter[name])))) return DRAFT_THERE;
  if (readPublished(frontMatter) === false || NO.test(plainText(frontMatter['publish'])))
    return 'is not published there';
  // Zola and Hugo keep what they do not know themselves, such as the marks of themes, in a table of its own.
  const tables = [frontMatter['params'], frontMatter['extra']].filter(isRecord).map(withSmallNames);
  const marked = Object.assign({}, ...tables, frontMatter) as FrontMatter;
  const state = STATES.flatMap((name) => wordsIn(marked[name])).find((text) => CLOSED.test(text));
  if (state !== undefined) return /^draft$/i.test(state) ? DRAFT_THERE : `is '${state}' there`;
  const mark = MARKS.find((name) => YES.test(plainText(marked[name])));
  if (mark !== undefined)
    return /^(?:hide|encrypt|paywall|members.*|is.*)$/.test(mark) ? `is marked '${mark}' there` : `is ${mark} there`;
  const openMark = OPEN_MARKS.find((name) => NO.test(plainText(marked[name])));
  if (openMark !== undefined) return `is not ${openMark.replace(/^is_?/, '')} there`;
  if (plainText(marked['password']) !== '') return 'is protected by a password there';
  const { eleventycomputed: computed } = frontMatter;
  const permalinks = [frontMatter['permalink'], isRecord(computed) ? computed['permalink'] : undefined];
  if (permalinks.some((permalink) => plainText(permalink) === 'false'))
    return 'has no page of its own there (permalink: false)';
  if (LEFT_OUT.test(file)) return 'is left out of the site there, as a name in its path begins with _';
  if (plainText(frontMatter['eleventyexcludefromcollections']) === 'true') return IN_NO_LIST;
  const [elsewhere] = readList(frontMatter, 'redirect_to');
  if (elsewhere !== undefined) return `leads to another address there (redirect_to: ${elsewhere.slice(0, 200)})`;
  // Zola has the word for pages, other generators do not.
  if (NO.test(plainText(frontMatter['render']))) return 'has no page of its own there (render: false)';
  const builds = [frontMatter['build'], frontMatter['_build']].filter(isRecord);
  const isUnrendered = builds.some(({ render }) => /^(?:never|link|false)$/i.test(plainText(render)));
  if (isUnrendered) return 'has no page of its own there (build.render)';
  return builds.some(({ list }) => /^(?:never|false)$/i.test(plainText(list))) ? IN_NO_LIST : undefined;
}

function whyExpired(expiry: Date | undefined, now: Date): string | undefined {
  return expiry !== undefined && expiry <= now ? `was taken down there at ${expiry.toISOString()}` : undefined;
}

function saysPublished(frontMatter: FrontMatter): boolean | undefined {
  const isPublished = readPublished(frontMatter);
  if (isPublished !== undefined) return isPublished;
  const isOpen = OPEN.test(plainText(frontMatter['status']));
  return isOpen || readFlag(frontMatter, 'draft') === false ? true : undefined;
}

function readPublished(frontMatter: FrontMatter): boolean | undefined {
  return readPublishedDate(frontMatter) === '' ? readFlag(frontMatter, 'published') : undefined;
}

/** The words of a field with one, or a list of them. */
function wordsIn(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(plainText);
}

/** Reads a field that generators use differently as text; other types are empty. */
function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}
