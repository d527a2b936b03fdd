import { posix } from 'node:path';
import { isOfGenerator } from './content-paths.js';
import { isDated, isIndexName } from './front-matter-fields.js';
import type { FrontMatter } from './front-matter-values.js';
import type { SiteSettings } from './site-settings.js';
import { isHtmlFile } from './source-files.js';

/** Says which files of a folder are posts. */
export class PostFiles {
  /**
   * @param files all of them, relative paths with `/`
   * @param configuration null when there is none, or its generator is another one
   */
  constructor(
    private readonly files: readonly string[],
    private readonly configuration: SiteSettings | null,
  ) {}

  /** Why a file is not even asked whether it is a post; null if it is. */
  whyNotRead(file: string, text: string): string | null {
    const { configuration } = this;
    if (isOfGenerator(posix.join(configuration?.prefix ?? '', file), configuration)) {
      return 'of the generator or a theme of the site, not a post';
    }
    const isAbout = /(?:^|\/)(?:readme|license|contributing|changelog|code_of_conduct)\.md$/i.test(file);
    return isAbout && !hasFrontMatter(text) ? 'about the folder, not a post' : null;
  }

  /** Why a file is none of the posts; null if it is one. */
  whyNoPost(file: string, frontMatter: FrontMatter): string | null {
    const { configuration } = this;
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

/** Returns true for a page of HTML without front matter, of which there may be thousands. */
export function isPageOfHtml(file: string, text: string): boolean {
  return isHtmlFile(file) && !hasFrontMatter(text);
}

export function hasFrontMatter(text: string): boolean {
  return /^(?:[ \t]*\n){0,100}(?:---|\+\+\+|\{)/.test(text);
}
