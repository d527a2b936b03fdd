import { posix } from 'node:path';
import { TZDate } from '@date-fns/tz';
import { aliasesBeside } from '../former-paths.js';
import { RefusedError } from '../import.errors.js';
import { isZeroDate, parsePostDate } from '../post-date.js';
import type { SourceSettings } from '../source-post.js';
import type { AlertReading } from './alerts.js';
import { conventionalPath, type ConventionalSite } from './conventional-address.js';
import { readFirstHeading } from './first-heading.js';
import { readFields, type FrontMatterFields } from './front-matter-fields.js';
import { parseFrontMatter, type MarkdownSource } from './front-matter.js';
import { withSmallNames } from './front-matter-publication.js';
import { readText, type FrontMatter } from './front-matter-values.js';
import { jekyllDefaults } from './jekyll-permalink.js';
import { basePathOf, permalinkOf, type PermalinkPost } from './permalink.js';
import { hasFrontMatter } from './post-files.js';
import type { DocusaurusSite } from './docusaurus.js';
import type { SiteSettings } from './site-settings.js';

/** Fields that the configuration of Jekyll may give to all posts; pictures of all of them belong to the theme. */
const DEFAULTED = new Set(
  'permalink author authors category categories tags lang published draft hidden excerpt'.split(' '),
);

/** The site that a folder belongs to. */
export interface SourceSite {
  /** Path of the folder in its site, with `/`; empty when it is the site, or there is none. */
  readonly prefix: string;
  /** Hosts at which it can be read, without `www.`. */
  readonly hosts: ReadonlySet<string>;
  /** The address at which it begins; absent where that is not known. */
  readonly address?: string;
  /** Null when there is none, or its generator is another one. */
  readonly configuration: SiteSettings | null;
  /** Null where addresses follow from the configuration, or nothing is known of them. */
  readonly conventions: ConventionalSite | null;
  /** Absent for sites of others. */
  readonly docusaurus?: DocusaurusSite;
  /** Boxes when absent. */
  readonly alerts?: AlertReading;
}

/** The place of front matter, which says a part of what it means. */
interface SiteContext {
  readonly settings: SourceSettings & { readonly folder: string };
  readonly site: SourceSite;
  /** The pattern of addresses that a folder gives to its posts. */
  readonly template?: string;
}

/** The file of a post of Jekyll, whatever it holds. */
const datedPost = /(?:^|\/)_posts\/(?:.*\/)?\d{2,4}-\d{1,2}-\d{1,2}-[^/]+$/;

/** The text with what the configuration says of all posts, where it says nothing else itself. */
export function parseOfSite(file: string, text: string, site: SourceSite): MarkdownSource {
  const source = parseWithDefaults(file, text, site);
  return { ...source, frontMatter: withoutZeroDates(source.frontMatter) };
}

/** Words in the names of fields that say when something happened, or will. */
const timeName = /date|time|creat|modif|lastmod|publi|posted|expir/i;

/** Hugo writes its first day where a post has no date, and reads it so. */
function withoutZeroDates(frontMatter: FrontMatter): FrontMatter {
  const isZero = ([name, value]: [string, unknown]) =>
    timeName.test(name) && typeof value === 'string' && isZeroDate(value);
  return Object.fromEntries(Object.entries(frontMatter).filter((entry) => !isZero(entry)));
}

function parseWithDefaults(file: string, text: string, { configuration }: SourceSite): MarkdownSource {
  // Documentation often has none; Jekyll shows such files as they are.
  const isBare = configuration?.generator !== 'jekyll' && !hasFrontMatter(text) && readFirstHeading(text) !== null;
  if (isBare) return { frontMatter: {}, body: text, isYaml: true, isBare };
  const isUnnamed = configuration?.generator === 'jekyll' && datedPost.test(file) && !hasFrontMatter(text);
  // Jekyll takes it for a post by its name, and shows it.
  const source = isUnnamed ? { frontMatter: {}, body: text, isYaml: true } : parseFrontMatter(text);
  if (configuration?.generator !== 'jekyll') {
    // Capitals do not count for Hugo, and nowhere does a name mean something else with them.
    return { ...source, frontMatter: { ...withSmallNames(source.frontMatter), ...source.frontMatter } };
  }
  const given = jekyllDefaults(posix.join(configuration.prefix, file), configuration.values);
  const defaults = Object.entries(given).filter(([name]) => DEFAULTED.has(name));
  return { ...source, frontMatter: { ...Object.fromEntries(defaults), ...source.frontMatter } };
}

/** The fields, with the address that follows from the pattern of the site among the old ones. */
export function readFieldsOfSite(
  frontMatter: FrontMatter,
  file: string,
  { settings, site: sourceSite, template = '' }: SiteContext,
): FrontMatterFields {
  const { configuration: site, conventions, prefix } = sourceSite;
  const fields = withBase(readFields(frontMatter, file, settings, site?.generator), site);
  const post = { file: posix.join(site?.prefix ?? '', file), frontMatter, title: fields.title, date: fields.date };
  const place = posix.join(prefix, file);
  const path =
    permalinkOf(post, { site, pattern: settings.permalink }) ??
    (site === null && conventions !== null ? conventionalPath(place, frontMatter, template, conventions) : null);
  const own = path ?? fields.oldPaths[0];
  const zoned = settings.permalink === undefined && site?.generator === 'jekyll' ? pathInZone(post, site) : [];
  const beside = site?.generator === 'hugo' && own !== undefined ? aliasesBeside(frontMatter, own) : [];
  if (path === null) return { ...fields, oldPaths: [...new Set([...fields.oldPaths, ...beside])] };
  const paths = [...new Set([path, ...zoned])];
  const short = paths.flatMap((one) => (one.endsWith('.html') ? [one.slice(0, -'.html'.length)] : []));
  // What was filled is no loss.
  const warnings = fields.warnings.filter((warning) => !/^the old address (?:\S*:[a-z]|[^\n]*\{\{)/.test(warning));
  return { ...fields, warnings, oldPaths: [...new Set([...paths, ...fields.oldPaths, ...beside, ...short])] };
}

/**
 * The address with the day in the zone in which Jekyll builds: that of its configuration, or that of the servers which build for others, which is
 * UTC. A time without a zone is one of UTC there. Empty where it is the same day, or nothing is said of the time.
 */
function pathInZone(post: PermalinkPost, site: SiteSettings): string[] {
  const [, day = '', time, zone] =
    /^(\d{4}-\d{1,2}-\d{1,2})[T \t]+(\d{1,2}:\d{2}(?::\d{2})?)[\d.]*[ \t]*(\S*)$/.exec(
      readText(post.frontMatter, 'date'),
    ) ?? [];
  if (time === undefined) return [];
  try {
    const moment = parsePostDate(`${day} ${time} ${zone === '' ? 'UTC' : zone}`, 'UTC');
    const local = new TZDate(moment.getTime(), readText(site.values, 'timezone') || 'UTC');
    if (Number.isNaN(local.getTime())) return [];
    const date = [local.getFullYear(), local.getMonth() + 1, local.getDate()].join('-');
    const path = permalinkOf({ ...post, frontMatter: { ...post.frontMatter, date } }, { site, pattern: undefined });
    return path === null ? [] : [path];
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return [];
  }
}

/** Addresses in the front matter are those below the path at which the site begins. */
function withBase(fields: FrontMatterFields, site: SiteSettings | null): FrontMatterFields {
  const base =
    site === null ? '' : new URL(`/${basePathOf(site)}`.replace(/^\/+/, '/'), 'https://site.invalid').pathname;
  if (base === '' || base === '/') return fields;
  const below = fields.oldPaths.filter((path) => !`${path}/`.startsWith(`${base}/`)).map((path) => base + path);
  return { ...fields, oldPaths: [...new Set([...below, ...fields.oldPaths])] };
}
