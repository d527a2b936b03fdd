import { createHash } from 'node:crypto';
import { basename, posix, sep } from 'node:path';
import { paths } from '../../shared/paths.js';
import type { MarkdownDialect } from '../../shared/markdown-extensions.js';
import { losesLetters } from '../../shared/slug.js';
import { readExportedPost } from '../exported/exported-post.js';
import { nameForSlug, titleOfName, type FrontMatterFields } from './front-matter-fields.js';
import type { MarkdownSource } from './front-matter.js';
import { isMdx, whyLeftOut } from './docusaurus.js';
import type { FrontMatter } from './front-matter-values.js';
import { isTooDeep, RefusedError, TOO_DEEP } from '../import.errors.js';
import { bodyToHtml } from './body-to-html.js';
import { nameCodeTitles } from './code-titles.js';
import { resolveContainers } from './containers.js';
import { readFirstHeading } from './first-heading.js';
import { takeLinksOffSame } from './linked-pictures.js';
import { findFileLinks, leadFilesOn } from './file-links.js';
import { showEmoji, showEmojiInLine } from './emoji-codes.js';
import { FolderRuleReader, type FolderRules } from './folder-rules.js';
import { formerLists } from './former-lists.js';
import { FormerAddresses, type Heading } from './former-addresses.js';
import { HeadingPlaces, leadOuterPlacesOn, leadPlacesOn, slugsOfPlaces } from '../heading-places.js';
import { isHexo } from './site-settings.js';
import { SiteVariables } from './site-variables.js';
import { fromGoldmark, nameOfGoldmark } from './goldmark.js';
import { fromKramdown, isOfKramdown } from './kramdown.js';
import { dialectOf, hasFormulas } from './markdown-dialect.js';
import { withoutModules } from './mdx-modules.js';
import { isPageOfHtml, PostFiles } from './post-files.js';
import { FileNames, findReferences } from './post-references.js';
import { parseOfSite, readFieldsOfSite, type SourceSite } from './site-front-matter.js';
import { isHtmlFile, readSourceFile, type SourceFolder } from './source-files.js';
import type { SourceItem, SourceSettings } from '../source-post.js';
import { resolveLeftovers, type ResolvedText } from './template-leftovers.js';

/** Folders above the one that is imported that may have been imported before. */
const MAX_FOLDERS = 4;

/** Why a text without front matter is a draft. */
const BARE = 'has no front matter that says who can read it there';

/** Reads Markdown files with front matter. */
export class MarkdownReader {
  private readonly names: FileNames;
  private readonly root: string;
  private readonly files: readonly string[];
  private readonly fileSet: ReadonlySet<string>;
  private readonly settings: SourceSettings & { readonly folder: string };

  private readonly posts: PostFiles;
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
    this.posts = new PostFiles(source.files, site.configuration);
    this.names = new FileNames(source.files);
    this.folders = new FolderRuleReader(this.root, site.configuration, {
      prefix: site.prefix,
      ignored: site.conventions?.ignored ?? [],
    });
    this.addresses = new FormerAddresses(this.files, (file) => this.readHeading(file));
  }

  /** Reads one of the files; null for a page of HTML without front matter, of which there may be thousands. */
  async read(file: string): Promise<SourceItem | null> {
    try {
      const text = await readSourceFile(this.root, file);
      if (isPageOfHtml(file, text)) return null;
      const unread = this.posts.whyNotRead(file, text);
      if (unread !== null) return { file, skipped: unread };
      const source = parseOfSite(file, text, this.site);
      const exported = readExportedPost(source.frontMatter, source.body, file);
      if (exported !== null) return exported;
      const skipped = this.posts.whyNoPost(file, source.frontMatter);
      return skipped === null ? await this.toPost(file, source, await this.folders.read(file)) : { file, skipped };
    } catch (error) {
      if (isTooDeep(error)) return { file, refusal: new RefusedError([TOO_DEEP]) };
      if (!(error instanceof RefusedError)) throw error;
      return { file, refusal: error };
    }
  }

  private async toPost(file: string, source: MarkdownSource, folder: FolderRules): Promise<SourceItem> {
    const { frontMatter, body, isYaml, isBare, repeated = [] } = source;
    const fields = this.readFields(withValues(frontMatter, folder), file, folder.permalink);
    const withheld = folder.withheld ?? whyLeftOut(file, this.site) ?? (isBare === true ? BARE : undefined);
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
    const shown = await showEmoji(
      bodyToHtml(text, isHtml, changes, this.dialectOf(frontMatter)),
      this.site.configuration,
    );
    const written = leadPlacesOn(takeLinksOffSame(shown.html, this.site.hosts, changes), changes);
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
    const doubled = repeated.map((name) => `${name} stands in the front matter more than once: the last one counts`);
    return {
      file,
      itemKey: posix.join(this.site.prefix, file).normalize('NFC'),
      formerKeys: formerKeys(this.root, file),
      ...fields,
      ...(withheld === undefined ? {} : { isPublished: false, withheld: fields.withheld ?? withheld }),
      author,
      title: await showEmojiInLine(title, this.site.configuration),
      excerpt: fields.excerpt && (await showEmojiInLine(fields.excerpt, this.site.configuration)),
      slug: slug.slug,
      html,
      folder: posix.dirname(file),
      baseUrl: null,
      ...(this.site.address === undefined ? {} : { siteUrl: this.site.address }),
      oldLists: formerLists(frontMatter, file, author, this.site.configuration),
      warnings: [
        ...doubled,
        ...warnings,
        ...shown.warnings,
        ...changes,
        ...fields.warnings,
        ...slug.warnings,
        ...untitled,
        ...undated,
        ...unknown,
      ],
    };
  }

  /** The text without what belongs to its generator. */
  private async resolveText(file: string, { frontMatter, body, isYaml }: MarkdownSource): Promise<ResolvedText> {
    const code = isMdx(file, frontMatter, this.site) ? withoutModules(body) : { text: body, warnings: [] };
    const included = /<!--\s*@include\s*:/.test(body)
      ? ['includes other files, whose text was not taken (<!-- @include -->)']
      : [];
    const boxes = isHtmlFile(file) ? { text: code.text, warnings: [] } : resolveContainers(code.text, this.site.alerts);
    const isOfHexo = isHexo(this.site.configuration);
    const known = this.site.configuration?.generator ?? this.site.conventions?.generator;
    const generator = isOfHexo || known === 'docusaurus' ? undefined : known;
    const { text, warnings } = resolveLeftovers(boxes.text, {
      frontMatter,
      addresses: await this.findAddresses(body),
      isLiquid: isYaml,
      ...(generator === undefined ? {} : { generator }),
      isNunjucks: isOfHexo || this.site.conventions?.isNunjucks === true,
      isHtml: isHtmlFile(file),
      variables: await this.loadVariables(),
      ...(this.settings.shortcodes === undefined ? {} : { rules: this.settings.shortcodes }),
    });
    const isOwn = isHtmlFile(file) || !isOfKramdown(this.site.configuration);
    const common = !isOwn
      ? fromKramdown(text)
      : { text: generator === 'hugo' ? fromGoldmark(text) : text, warnings: [] };
    return {
      text: common.text,
      warnings: [
        ...code.warnings,
        ...boxes.warnings,
        ...included,
        ...warnings,
        ...common.warnings,
        ...(isHtmlFile(file) ? [] : nameCodeTitles(text)),
        ...(generator === 'hugo' && !isHtmlFile(file) ? nameOfGoldmark(body, this.site) : []),
      ],
    };
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

  private async readPlaces(file: string): Promise<HeadingPlaces | null> {
    const source = parseOfSite(file, await readSourceFile(this.root, file), this.site);
    try {
      const { text } = await this.resolveText(file, source);
      const { html } = await showEmoji(
        bodyToHtml(text, isHtmlFile(file), [], this.dialectOf(source.frontMatter)),
        this.site.configuration,
      );
      return HeadingPlaces.read(html);
    } catch (error) {
      if (!isTooDeep(error)) throw error;
      return null;
    }
  }

  private dialectOf(frontMatter: FrontMatter): MarkdownDialect {
    const dialect = dialectOf(this.site);
    return hasFormulas(frontMatter, this.site.configuration) ? { ...dialect, hasDollarMath: true } : dialect;
  }

  private loadVariables(): Promise<SiteVariables> {
    this.variables ??= SiteVariables.load(this.site.configuration, this.root);
    return this.variables;
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

  private readFields(frontMatter: FrontMatter, file: string, template: string | undefined): FrontMatterFields {
    const { settings, site } = this;
    return readFieldsOfSite(frontMatter, file, { settings, site, ...(template === undefined ? {} : { template }) });
  }

  /** Reads where a post was and will be; null for a file that cannot become a post. */
  private async readHeading(file: string): Promise<Heading | null> {
    try {
      const text = await readSourceFile(this.root, file);
      if (isPageOfHtml(file, text) || this.posts.whyNotRead(file, text) !== null) return null;
      const { frontMatter } = parseOfSite(file, text, this.site);
      if (this.posts.whyNoPost(file, frontMatter) !== null) return null;
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

/** The front matter with what its folder says where it says nothing itself, in whatever capitals. */
function withValues(frontMatter: FrontMatter, { values }: FolderRules): FrontMatter {
  const own = new Set(Object.keys(frontMatter).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(values).filter(([name]) => !own.has(name))), ...frontMatter };
}
