import { posix } from 'node:path';
import { aliasesBeside } from '../former-paths.js';
import type { SourceSettings } from '../source-post.js';
import type { AlertReading } from './alerts.js';
import { conventionalPath, type ConventionalSite } from './conventional-address.js';
import { readFirstHeading } from './first-heading.js';
import { readFields, type FrontMatterFields } from './front-matter-fields.js';
import { parseFrontMatter, type MarkdownSource } from './front-matter.js';
import { withSmallNames } from './front-matter-publication.js';
import type { FrontMatter } from './front-matter-values.js';
import { jekyllDefaults } from './jekyll-permalink.js';
import { basePathOf, permalinkOf } from './permalink.js';
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
export function parseOfSite(file: string, text: string, { configuration }: SourceSite): MarkdownSource {
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
  const beside = site?.generator === 'hugo' && own !== undefined ? aliasesBeside(frontMatter, own) : [];
  if (path === null) return { ...fields, oldPaths: [...new Set([...fields.oldPaths, ...beside])] };
  const short = path.endsWith('.html') ? [path.slice(0, -'.html'.length)] : [];
  // What was filled is no loss.
  const warnings = fields.warnings.filter((warning) => !/^the old address \S*:[a-z]/.test(warning));
  return { ...fields, warnings, oldPaths: [...new Set([path, ...fields.oldPaths, ...beside, ...short])] };
}

/** Addresses in the front matter are those below the path at which the site begins. */
function withBase(fields: FrontMatterFields, site: SiteSettings | null): FrontMatterFields {
  const base =
    site === null ? '' : new URL(`/${basePathOf(site)}`.replace(/^\/+/, '/'), 'https://site.invalid').pathname;
  if (base === '' || base === '/') return fields;
  const below = fields.oldPaths.filter((path) => !`${path}/`.startsWith(`${base}/`)).map((path) => base + path);
  return { ...fields, oldPaths: [...new Set([...below, ...fields.oldPaths])] };
}
