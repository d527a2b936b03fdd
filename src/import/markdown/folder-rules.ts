import { readdir, realpath } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import { RefusedError } from '../import.errors.js';
import { languageInPath } from '../source-choices.js';
import { isIgnored, whyNothingOfContent } from './content-paths.js';
import { readEleventyData, readPermalink } from './eleventy-data.js';
import { withSmallNames } from './front-matter-publication.js';
import { readFlag, readList, type FrontMatter } from './front-matter-values.js';
import { parseFrontMatter } from './front-matter.js';
import { whyNothingOfJekyll } from './jekyll-paths.js';
import { fits } from './path-patterns.js';
import { languageOfHugo } from './permalink.js';
import { pickPublication } from './publication-fields.js';
import type { SiteSettings } from './site-settings.js';
import { readSourceFile } from './source-files.js';

/** The rules of a folder about who can read the posts in it. */
export interface FolderRules {
  /** Fields that its posts have where they do not say otherwise. */
  readonly values: FrontMatter;
  /** Why none of its posts can be read there, whatever they say. */
  readonly withheld?: string;
  /** The template of addresses that the data of Eleventy has for the folder. */
  readonly permalink?: string;
}

/** The words of a folder and of those above it. */
interface Chain {
  readonly isDraft: boolean;
  /** Folders with the index of a page, the highest first. */
  readonly bundles: readonly string[];
  readonly cascades: readonly FrontMatter[];
}

/** A data file of Eleventy. */
interface DataFile {
  readonly text: string;
  readonly isJson: boolean;
}

/** The place of the files in a site of Eleventy, and the paths from its folder of which its configuration makes nothing. */
interface OwnPlace {
  readonly prefix: string;
  readonly ignored: readonly string[];
}

interface Folder {
  readonly names: ReadonlySet<string>;
  /** True if it has the index of a page. */
  readonly isBundle: boolean;
  /** Front matter of sections by their language, which is empty where the file names none. */
  readonly sections: ReadonlyMap<string, FrontMatter>;
  /** Values of the data files of Eleventy, for all posts in it. */
  readonly data: FrontMatter;
  /** The template of addresses in these data files; empty where they have none. */
  readonly permalink: string;
  /** The file of paths of which Eleventy makes nothing; empty where there is none. */
  readonly ignored: string;
}

const SECTION = /^_index(?:\.([^.]+))?\.(?:md|markdown|html?|mdx)$/i;
const BUNDLE = /^index(?:\.[^.]+)?\.(?:md|markdown|html?|mdx)$/i;
const IGNORED = '.eleventyignore';
const UNBUILT = 'is in a language that is left out of the site there';
const NO_RULES: FolderRules = { values: {} };
const NOTHING: Folder = {
  names: new Set(),
  isBundle: false,
  sections: new Map(),
  data: {},
  permalink: '',
  ignored: '',
};

/**
 * The rules of folders: sections of Hugo and Zola that are drafts, what Hugo's sections hand down, texts that belong to a page of
 * Hugo, the data files of Eleventy, and paths of which generators make nothing. A post that its folder keeps from readers would be published here.
 */
export class FolderRuleReader {
  private readonly folders = new Map<string, Promise<Folder>>();
  /** By folder and language. */
  private readonly chains = new Map<string, Promise<Chain>>();
  private readonly base: string;
  private readonly prefix: string;

  /**
   * @param root of the files, without symbolic links
   * @param site null when there is none, or it is of another generator
   * @param own what the configuration of Eleventy leaves out
   */
  constructor(
    private readonly root: string,
    private readonly site: SiteSettings | null,
    private readonly own: OwnPlace = { prefix: '', ignored: [] },
  ) {
    // Sections above the folder that is imported count too.
    this.base = site?.folder ?? root;
    this.prefix = site?.prefix ?? '';
  }

  /** @param file relative to the root */
  async read(file: string): Promise<FolderRules> {
    const path = posix.join(this.prefix, file);
    if (this.site?.generator === 'jekyll') {
      const withheld = whyNothingOfJekyll(path, this.site.values);
      return withheld === undefined ? NO_RULES : { values: {}, withheld };
    }
    if (this.site === null) return await this.readEleventy(path);
    const { names } = await this.load('.');
    const nothing = whyNothingOfContent(path, this.site, names);
    if (nothing !== undefined) return { values: {}, withheld: nothing };
    const folder = posix.dirname(path);
    const language = languageInPath(posix.basename(path)) ?? '';
    const key = `${folder} ${language}`;
    const known = this.chains.get(key) ?? this.readChain(folder, language);
    this.chains.set(key, known);
    const { isDraft, bundles, cascades } = await known;
    if (isDraft) return { values: {}, withheld: 'is in a section there that is a draft' };
    if (this.site.generator === 'zola') return NO_RULES;
    if (isUnbuilt(this.site.values, path)) return { values: {}, withheld: UNBUILT };
    // The index of a page is none of its texts.
    const owner = bundles.find((bundle) => bundle !== folder || !BUNDLE.test(posix.basename(path)));
    if (owner !== undefined) return { values: {}, withheld: `belongs to the page of its folder there (${owner})` };
    const fitting = cascades.filter((cascade) => isMeant(cascade, path)).map((cascade) => pickPublication(cascade));
    return fitting.length === 0 ? NO_RULES : { values: Object.assign({}, ...fitting) as FrontMatter };
  }

  /** Reads what a folder and those above it say, which is the same for all posts of a language in it. */
  private async readChain(folder: string, language: string): Promise<Chain> {
    const above = foldersAbove(`${folder}/x`);
    const folders = await Promise.all(above.map((name) => this.load(name)));
    const sections = folders.map((one) => one.sections.get(language) ?? one.sections.get('') ?? {});
    return {
      isDraft: sections.some((section) => isDraftSection(section)),
      // Hugo makes pages of none of the texts beside and below the index of a page.
      bundles: above.filter((name, index) => folders[index]?.isBundle === true && /(?:^|\/)content\/./.test(name)),
      cascades: [this.site?.values ?? {}, ...sections].flatMap((section) => cascadesOf(section)),
    };
  }

  /** Values of Eleventy's data files: those of folders, the nearest last, and the post's own; and what it is told to leave out. */
  private async readEleventy(path: string): Promise<FolderRules> {
    const folders = await Promise.all(foldersAbove(path).map((folder) => this.load(folder)));
    const own = path.replace(/\.[^./]+$/, '');
    const { names } = folders.at(-1) ?? NOTHING;
    const data = toData(await this.readDataFiles(posix.dirname(path), posix.basename(own), names));
    const permalink = folders.findLast((folder) => folder.permalink !== '')?.permalink ?? '';
    const values = Object.assign({}, ...folders.map((folder) => folder.data), data) as FrontMatter;
    const isLeft = foldersAbove(path).some((folder, index) =>
      isIgnored(posix.relative(folder, path), folders[index]?.ignored ?? ''),
    );
    const isLeftByProgram = isIgnored(posix.join(this.own.prefix, path), this.own.ignored.join('\n'));
    return isLeft || isLeftByProgram
      ? { values, permalink, withheld: `is left out of the site there (${isLeft ? IGNORED : 'ignores.add'})` }
      : { values, permalink };
  }

  private load(folder: string): Promise<Folder> {
    const known = this.folders.get(folder) ?? this.loadNow(folder);
    this.folders.set(folder, known);
    return known;
  }

  private async loadNow(folder: string): Promise<Folder> {
    const names = new Set(await readdir(join(this.base, folder)).catch(() => []));
    const isBundle = [...names].some((name) => BUNDLE.test(name));
    const sections = new Map<string, FrontMatter>();
    if (this.site === null) {
      const name = folder === '.' ? basename(this.root) : posix.basename(folder);
      const texts = await this.readDataFiles(folder, name, names);
      const data = toData(texts);
      const permalink = texts.map(({ text }) => readPermalink(text)).findLast((template) => template !== '') ?? '';
      const ignored = names.has(IGNORED) ? ((await this.readText(posix.join(folder, IGNORED))) ?? '') : '';
      return { names, isBundle, sections, data, permalink, ignored };
    }
    for (const name of names) {
      const [written, language = ''] = SECTION.exec(name) ?? [];
      const text = written === undefined ? null : await this.readText(posix.join(folder, name));
      if (text !== null) sections.set(language.toLowerCase(), frontMatterOf(text));
    }
    return { names, isBundle, sections, data: {}, permalink: '', ignored: '' };
  }

  private async readDataFiles(folder: string, name: string, names: ReadonlySet<string>): Promise<DataFile[]> {
    const endings = ['json', '11tydata.json', '11tydata.js', '11tydata.mjs', '11tydata.cjs'];
    const found = endings.map((ending) => `${name}.${ending}`).filter((file) => names.has(file));
    const texts = await Promise.all(found.map((file) => this.readText(posix.join(folder, file))));
    return texts.map((text, index) => ({ text: text ?? '', isJson: found[index]?.endsWith('.json') === true }));
  }

  /** Null for what cannot be read: what is wrong with a file of posts is said when its turn comes. */
  private async readText(path: string): Promise<string | null> {
    const own = posix.relative(this.prefix, path);
    const isAbove = own.startsWith('../');
    try {
      // The folder that is imported, and those above it, may each be reached by a link.
      return await (isAbove ? readSourceFile(await realpath(this.base), path) : readSourceFile(this.root, own));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return null;
    }
  }
}

function toData(files: readonly DataFile[]): FrontMatter {
  return Object.assign({}, ...files.map(({ text, isJson }) => readEleventyData(text, isJson))) as FrontMatter;
}

/** Returns true for a text in a language of which the configuration of Hugo lets nothing be made. */
function isUnbuilt(values: FrontMatter, path: string): boolean {
  const language = languageOfHugo(path, values);
  if (language === undefined) return false;
  const isSame = (other: string) => other.toLowerCase() === language.toLowerCase();
  // Words in one text were the way of earlier releases.
  if (
    readList(values, 'disablelanguages')
      .flatMap((text) => text.split(/\s+/))
      .some(isSame)
  )
    return true;
  const languages = isRecord(values['languages']) ? values['languages'] : {};
  const settings = Object.entries(languages).find(([name]) => isSame(name))?.[1];
  return isRecord(settings) && readFlag(withSmallNames(settings), 'disabled') === true;
}

/** The folders of a path, the highest first. */
function foldersAbove(path: string): string[] {
  const parts = posix.dirname(path).split('/');
  return ['.', ...parts.map((_part, index) => parts.slice(0, index + 1).join('/'))].filter(
    (folder, index) => index === 0 || folder !== '.',
  );
}

function frontMatterOf(text: string): FrontMatter {
  try {
    return withSmallNames(parseFrontMatter(text).frontMatter);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return {};
  }
}

function isDraftSection(section: FrontMatter): boolean {
  try {
    return readFlag(section, 'draft') === true;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return false;
  }
}

/** The fields that a section hands down: one table, or several for different pages. */
function cascadesOf(section: FrontMatter): FrontMatter[] {
  const { cascade } = section;
  return (Array.isArray(cascade) ? cascade : [cascade]).filter(isRecord).map(withSmallNames);
}

/** Returns true for what is handed down to the page of this path. */
function isMeant(cascade: FrontMatter, path: string): boolean {
  const target = cascade['target'] ?? cascade['_target'];
  if (!isRecord(target)) return true;
  const { path: wanted, kind } = withSmallNames(target);
  const page = `/${path.slice(path.lastIndexOf('content/') + 'content/'.length)}`.replace(/(?:\/index)?\.[^/]*$/, '');
  return fits(kind, 'page') && fits(wanted, page);
}
