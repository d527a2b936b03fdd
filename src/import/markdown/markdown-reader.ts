import { createHash } from 'node:crypto';
import { basename, posix, sep } from 'node:path';
import { paths } from '../../shared/paths.js';
import { losesLetters } from '../../shared/slug.js';
import { readExportedPost } from '../exported/exported-post.js';
import {
  isDated,
  isIndexName,
  nameForSlug,
  readFields,
  titleOfName,
  type FrontMatterFields,
} from './front-matter-fields.js';
import { parseFrontMatter, type MarkdownSource } from './front-matter.js';
import { withSmallNames } from './front-matter-publication.js';
import type { FrontMatter } from './front-matter-values.js';
import { RefusedError } from '../import.errors.js';
import { bodyToHtml } from './body-to-html.js';
import { isOfGenerator } from './content-paths.js';
import { resolveContainers } from './containers.js';
import { readFirstHeading } from './first-heading.js';
import { findFileLinks, leadFilesOn } from './file-links.js';
import { conventionalPath, type ConventionalSite } from './conventional-address.js';
import { FolderRuleReader, type FolderRules } from './folder-rules.js';
import { formerLists } from './former-lists.js';
import { aliasesBeside } from '../former-paths.js';
import { FormerAddresses, type Heading } from './former-addresses.js';
import { HeadingPlaces, leadOuterPlacesOn, leadPlacesOn, slugsOfPlaces } from '../heading-places.js';
import { jekyllDefaults } from './jekyll-permalink.js';
import { basePathOf, permalinkOf } from './permalink.js';
import type { SiteSettings } from './site-settings.js';
import { SiteVariables } from './site-variables.js';
import { withoutModules } from './mdx-modules.js';
import { FileNames, findReferences } from './post-references.js';
import { isHtmlFile, readSourceFile, type SourceFolder } from './source-files.js';
import type { SourceItem, SourceSettings } from '../source-post.js';
import { resolveLeftovers, type ResolvedText } from './template-leftovers.js';

/** Folders above the one that is imported that may have been imported before. */
const MAX_FOLDERS = 4;

/** Fields that the configuration of Jekyll may give to all posts; pictures of all of them belong to the theme. */
const DEFAULTED = new Set(
  'permalink author authors category categories tags lang published draft hidden excerpt'.split(' '),
);

/** Why a text without front matter is a draft. */
const BARE = 'has no front matter that says who can read it there';

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
}

/** Reads Markdown files with front matter. */
export class MarkdownReader {
  private readonly names: FileNames;
  private readonly root: string;
  private readonly files: readonly string[];
  private readonly fileSet: ReadonlySet<string>;
  private readonly settings: SourceSettings & { readonly folder: string };

  private readonly addresses: FormerAddresses;
  private readonly folders: FolderRuleReader;
  private readonly places = new Map<string, Promise<HeadingPlaces | null>>();
  private variables: Promise<SiteVariables> | undefined;

  /** @param source all that is read: what posts may refer to */
  constructor(
    source: SourceFolder,
    settings: SourceSettings,
    private readonly site: SourceSite,
  ) {
    this.root = source.root;
    this.files = source.files;
    this.fileSet = new Set(source.files);
    this.settings = { ...settings, folder: site.prefix || basename(source.root) };
    this.names = new FileNames(source.files);
    this.folders = new FolderRuleReader(this.root, site.configuration);
    this.addresses = new FormerAddresses(this.files, (file) => this.readHeading(file));
  }

  /** Reads one of the files; null for a page of HTML without front matter, of which there may be thousands. */
  async read(file: string): Promise<SourceItem | null> {
    try {
      const text = await readSourceFile(this.root, file);
      if (isPageOfHtml(file, text)) return null;
      const unread = this.whyNotRead(file, text);
      if (unread !== null) return { file, skipped: unread };
      const source = this.parse(file, text);
      const exported = readExportedPost(source.frontMatter, source.body, file);
      if (exported !== null) return exported;
      const skipped = this.whyNoPost(file, source.frontMatter);
      return skipped === null ? await this.toPost(file, source, await this.folders.read(file)) : { file, skipped };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return { file, refusal: error };
    }
  }

  private async toPost(file: string, source: MarkdownSource, folder: FolderRules): Promise<SourceItem> {
    const { frontMatter, body, isYaml, isBare } = source;
    const fields = this.readFields(withValues(frontMatter, folder), file, folder.permalink);
    const withheld = folder.withheld ?? (isBare === true ? BARE : undefined);
    const isHtml = isHtmlFile(file);
    const changes: string[] = [];
    const variables = await this.loadVariables();
    const { text: whole, warnings } = await this.resolveText(file, { frontMatter, body, isYaml });
    const heading = isHtml ? null : readFirstHeading(whole);
    const title = fields.title || heading?.title || titleOfName(file);
    const text = heading?.title === title ? heading.text : whole;
    const slug = await this.chooseSlug(file, frontMatter, fields);
    const untitled =
      fields.title === '' && heading === null
        ? [`no title in the front matter: it is that of the name of the file, '${title}'`]
        : [];
    const author = variables.nameAuthors(fields.author);
    const [ownPath = null] = fields.oldPaths;
    const written = leadPlacesOn(bodyToHtml(text, isHtml, changes), changes);
    const links = await findFileLinks(written, file, this.fileSet, (target) => this.findAddress(target));
    const isKnown = (href: string) => links.has(href);
    const led = await this.addresses.leadOn(written, ownPath, { isKnown, hosts: this.site.hosts }, changes);
    const html = await this.leadPlacesOn(leadFilesOn(led, links, changes));
    // Of what nobody could read there, nobody has an address.
    const isLost =
      this.site.hosts.size > 0 && ownPath === null && fields.isPublished !== false && withheld === undefined;
    const unknown = isLost
      ? ['its address on the old site is not known, so it does not lead here (--permalink says it)']
      : [];
    const undated = fields.date === undefined ? ['no date in the front matter or the file name: dated today'] : [];
    return {
      file,
      itemKey: posix.join(this.site.prefix, file).normalize('NFC'),
      formerKeys: formerKeys(this.root, file),
      ...fields,
      ...(withheld === undefined ? {} : { isPublished: false, withheld: fields.withheld ?? withheld }),
      author,
      title,
      slug: slug.slug,
      html,
      folder: posix.dirname(file),
      baseUrl: null,
      oldLists: formerLists(frontMatter, file, author, this.site.configuration),
      warnings: [...warnings, ...changes, ...fields.warnings, ...slug.warnings, ...untitled, ...undated, ...unknown],
    };
  }

  /** The text without what belongs to its generator. */
  private async resolveText(file: string, { frontMatter, body, isYaml }: MarkdownSource): Promise<ResolvedText> {
    const code = /\.mdx$/i.test(file) ? withoutModules(body) : { text: body, warnings: [] };
    const included = /<!--\s*@include\s*:/.test(body)
      ? ['includes other files, whose text was not taken (<!-- @include -->)']
      : [];
    const boxes = isHtmlFile(file) ? { text: code.text, warnings: [] } : resolveContainers(code.text);
    const { text, warnings } = resolveLeftovers(boxes.text, {
      frontMatter,
      addresses: await this.findAddresses(body),
      isLiquid: isYaml,
      isHtml: isHtmlFile(file),
      variables: await this.loadVariables(),
      ...(this.settings.shortcodes === undefined ? {} : { rules: this.settings.shortcodes }),
    });
    return { text, warnings: [...code.warnings, ...boxes.warnings, ...included, ...warnings] };
  }

  /** The future address of the post of a file; null for one that cannot become a post. */
  private async findAddress(file: string): Promise<string | null> {
    const slug = await this.readSlug(file);
    return slug ? paths.blog(slug) : null;
  }

  /** Leads links to headings of other posts on, which have other ids here. */
  private async leadPlacesOn(html: string): Promise<string> {
    const found = new Map<string, HeadingPlaces | null>();
    for (const slug of slugsOfPlaces(html)) found.set(slug, await this.findPlaces(slug));
    if (found.size === 0) return html;
    return leadOuterPlacesOn(html, (slug, fragment) => found.get(slug)?.find(fragment) ?? null);
  }

  /** Null for a slug that none of the folder gets. */
  private async findPlaces(slug: string): Promise<HeadingPlaces | null> {
    const file = await this.addresses.fileOf(slug);
    if (file === undefined) return null;
    const known = this.places.get(file) ?? this.readPlaces(file);
    this.places.set(file, known);
    return await known;
  }

  private async readPlaces(file: string): Promise<HeadingPlaces> {
    const source = this.parse(file, await readSourceFile(this.root, file));
    const { text } = await this.resolveText(file, source);
    return HeadingPlaces.read(bodyToHtml(text, isHtmlFile(file), []));
  }

  private loadVariables(): Promise<SiteVariables> {
    this.variables ??= SiteVariables.load(this.site.configuration, this.root);
    return this.variables;
  }

  /** Why a file is not even asked whether it is a post; null if it is. */
  private whyNotRead(file: string, text: string): string | null {
    const { configuration } = this.site;
    if (isOfGenerator(posix.join(configuration?.prefix ?? '', file), configuration)) {
      return 'of the generator or a theme of the site, not a post';
    }
    const isAbout = /(?:^|\/)(?:readme|license|contributing|changelog|code_of_conduct)\.md$/i.test(file);
    return isAbout && !hasFrontMatter(text) ? 'about the folder, not a post' : null;
  }

  /** Why a file is none of the posts; null if it is one. */
  private whyNoPost(file: string, frontMatter: FrontMatter): string | null {
    const { configuration } = this.site;
    const name = nameWithoutLanguage(file).replace(/^readme$/i, 'index');
    if (name === '_index') return 'the page of a section, not a post';
    if (isDated(frontMatter, file)) return null;
    if (isHtmlFile(file) && !/(?:^|\/)_(?:posts|drafts)\//.test(file) && frontMatter['layout'] !== 'post') {
      return 'a page, not a post';
    }
    if (frontMatter['layout'] === 'page' || frontMatter['type'] === 'page') return 'a page, not a post';
    // An index of Hugo and Zola is a page; that of a section has another name.
    const generator = configuration?.generator;
    const isOfSite = /^(?:content\/)?index\./.test(posix.join(configuration?.prefix ?? '', file));
    if ((generator === 'hugo' || generator === 'zola') && !isOfSite && /^index$/.test(name)) return null;
    const folder = posix.dirname(file);
    const isOfFolder =
      name === 'index' &&
      this.files.some((other) => !isSameIndex(other, file) && (folder === '.' || other.startsWith(`${folder}/`)));
    return isOfFolder ? 'the index of a folder, not a post' : null;
  }

  /** Returns the future addresses of the posts to which the text refers. */
  private async findAddresses(body: string): Promise<Map<string, string>> {
    const addresses = new Map<string, string>();
    for (const reference of findReferences(body)) {
      const file = this.names.find(reference);
      const address = file === null ? null : await this.findAddress(file);
      if (address !== null) addresses.set(reference, address + (/#.*$/.exec(reference)?.[0] ?? ''));
    }
    return addresses;
  }

  /** Null for a file that cannot become a post. */
  private async readSlug(file: string): Promise<string | null> {
    const heading = await this.readHeading(file);
    if (heading?.otherSlug === undefined) return heading?.slug ?? null;
    return (await this.addresses.fileOf(heading.slug)) === file ? heading.slug : heading.otherSlug;
  }

  /** The slug, which has a number where letters from a to z do not tell the post from others. */
  private async chooseSlug(file: string, frontMatter: FrontMatter, fields: FrontMatterFields) {
    const { own, other } = this.slugsOf(file, frontMatter, fields);
    if (fields.slug === '') {
      const warning = `neither its file nor its title has letters from a to z: its address is ${own}`;
      return { slug: own, warnings: [warning] };
    }
    const holder = other === undefined ? file : await this.addresses.fileOf(this.chosen(file, own, fields));
    if (other === undefined || holder === file) return { slug: own, warnings: [] };
    const warning = `with its letters from a to z alone it would have the address of ${holder}: its address is ${other}`;
    return { slug: other, warnings: [warning] };
  }

  private slugsOf(file: string, frontMatter: FrontMatter, { slug, title }: FrontMatterFields) {
    const place = posix.join(this.site.prefix, file).normalize('NFC');
    const number = createHash('sha256').update(place).digest('hex').slice(0, 8);
    if (slug === '') return { own: `post-${number}` };
    return losesLetters(nameForSlug(frontMatter, file, title))
      ? { own: slug, other: `${slug}-${number}` }
      : { own: slug };
  }

  /** A slug as the operator wants it. */
  private chosen(file: string, slug: string, fields: FrontMatterFields): string {
    return this.settings.slugOf?.({ ...fields, slug, file, folder: posix.dirname(file) }) ?? slug;
  }

  /** The text with what the configuration says of all posts, where it says nothing else itself. */
  private parse(file: string, text: string): MarkdownSource {
    const { configuration } = this.site;
    // Documentation often has none; Jekyll shows such files as they are.
    const isBare = configuration?.generator !== 'jekyll' && !hasFrontMatter(text) && readFirstHeading(text) !== null;
    if (isBare) return { frontMatter: {}, body: text, isYaml: true, isBare };
    const source = parseFrontMatter(text);
    if (configuration?.generator !== 'jekyll') {
      // Capitals do not count for Hugo, and nowhere does a name mean something else with them.
      return { ...source, frontMatter: { ...withSmallNames(source.frontMatter), ...source.frontMatter } };
    }
    const given = jekyllDefaults(posix.join(configuration.prefix, file), configuration.values);
    const defaults = Object.entries(given).filter(([name]) => DEFAULTED.has(name));
    return { ...source, frontMatter: { ...Object.fromEntries(defaults), ...source.frontMatter } };
  }

  /** The fields, with the address that follows from the pattern of the site among the old ones. */
  private readFields(frontMatter: FrontMatter, file: string, template = ''): FrontMatterFields {
    const { configuration: site, conventions } = this.site;
    const fields = withBase(readFields(frontMatter, file, this.settings, site?.generator), site);
    const post = { file: posix.join(site?.prefix ?? '', file), frontMatter, title: fields.title, date: fields.date };
    const place = posix.join(this.site.prefix, file);
    const path =
      permalinkOf(post, { site, pattern: this.settings.permalink }) ??
      (site === null && conventions !== null ? conventionalPath(place, frontMatter, template, conventions) : null);
    const own = path ?? fields.oldPaths[0];
    const beside = site?.generator === 'hugo' && own !== undefined ? aliasesBeside(frontMatter, own) : [];
    if (path === null) return { ...fields, oldPaths: [...new Set([...fields.oldPaths, ...beside])] };
    const short = path.endsWith('.html') ? [path.slice(0, -'.html'.length)] : [];
    // What was filled is no loss.
    const warnings = fields.warnings.filter((warning) => !/^the old address \S*:[a-z]/.test(warning));
    return { ...fields, warnings, oldPaths: [...new Set([path, ...fields.oldPaths, ...beside, ...short])] };
  }

  /** Reads where a post was and will be; null for a file that cannot become a post. */
  private async readHeading(file: string): Promise<Heading | null> {
    try {
      const text = await readSourceFile(this.root, file);
      if (isPageOfHtml(file, text) || this.whyNotRead(file, text) !== null) return null;
      const { frontMatter } = this.parse(file, text);
      if (this.whyNoPost(file, frontMatter) !== null) return null;
      const { permalink } = this.site.conventions === null ? {} : await this.folders.read(file);
      const fields = this.readFields(frontMatter, file, permalink);
      const { own, other } = this.slugsOf(file, frontMatter, fields);
      const { oldPaths } = fields;
      const heading = { slug: this.chosen(file, own, fields), oldPaths };
      return other === undefined ? heading : { ...heading, otherSlug: this.chosen(file, other, fields) };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return null;
    }
  }
}

/** Before sources had names, a post was known by the folder that was imported, whichever of those above it that was. */
function formerKeys(root: string, file: string): string[] {
  const parts = [...root.split(sep).slice(-MAX_FOLDERS), ...file.split('/')].filter((part) => part !== '');
  return parts.slice(0, -1).map((_part, index) => `markdown:${parts.slice(index).join('/')}`);
}

/** The file's name without its ending, and without the language of `index.de.md`. */
function nameWithoutLanguage(file: string): string {
  const name = posix.basename(file).replace(/\.[^.]+$/, '');
  return isIndexName(name) ? name.replace(/\..*$/, '') : name;
}

/** Returns true for an index, and for the same one in another language. */
function isSameIndex(other: string, file: string): boolean {
  if (other === file) return true;
  const isBeside = posix.dirname(other) === posix.dirname(file);
  return isBeside && nameWithoutLanguage(other) === 'index' && nameWithoutLanguage(file) === 'index';
}

/** Addresses in the front matter are those below the path at which the site begins. */
function withBase(fields: FrontMatterFields, site: SiteSettings | null): FrontMatterFields {
  const base =
    site === null ? '' : new URL(`/${basePathOf(site)}`.replace(/^\/+/, '/'), 'https://site.invalid').pathname;
  if (base === '' || base === '/') return fields;
  const below = fields.oldPaths.filter((path) => !`${path}/`.startsWith(`${base}/`)).map((path) => base + path);
  return { ...fields, oldPaths: [...new Set([...below, ...fields.oldPaths])] };
}

/** The front matter with what its folder says where it says nothing itself, in whatever capitals. */
function withValues(frontMatter: FrontMatter, { values }: FolderRules): FrontMatter {
  const own = new Set(Object.keys(frontMatter).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(values).filter(([name]) => !own.has(name))), ...frontMatter };
}

function isPageOfHtml(file: string, text: string): boolean {
  return isHtmlFile(file) && !hasFrontMatter(text);
}

function hasFrontMatter(text: string): boolean {
  return /^(?:---|\+\+\+|\{)/.test(text);
}
