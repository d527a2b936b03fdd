import { posix } from 'node:path';
import { isRecord } from '../../shared/is-record.js';
import { splitDatedName } from '../post-date.js';
import { readText, type FrontMatter } from './front-matter-values.js';
import { toPathname, urlize } from './permalink.js';

/** A site whose addresses follow from where its texts are. */
export interface ConventionalSite {
  readonly generator: 'astro' | 'docusaurus' | 'eleventy';
  /** Path at which it begins, without a slash at its end. */
  readonly base: string;
  /** Folder of the texts of Eleventy, below that of the configuration; empty where it is that folder. */
  readonly input: string;
  /** True where the configuration says that bare addresses become links. */
  readonly isLinking?: boolean;
  /** True where indented lines are code: for Eleventy before its second version, and where the configuration says so. */
  readonly hasIndentedCode?: boolean;
  /** True where the configuration says that texts are templates of Nunjucks. */
  readonly isNunjucks?: boolean;
  /** The path of the blog of Docusaurus; undefined if it is not known. */
  readonly blog?: string;
  /** Paths of which the configuration makes nothing, with stars, below its folder. */
  readonly ignored?: readonly string[];
}

const pages = /^src\/pages\/(.+)\.[^./]+$/;
const collection = /^src\/(?:content\/|data\/)?([^/]+)\/(.+)\.[^./]+$/;
const filled = /\{\{-?\s{0,9}([\w.]{1,100})(?:\s{0,9}\|\s{0,9}(slug|slugify|url)(?:\(\))?)?\s{0,9}-?\}\}/g;

/**
 * Returns the address that a text has where its site goes by the conventions of its generator: Astro's page of a collection, a post of Docusaurus, Eleventy's
 * path of the file or the template that its folder's data has. Null for others, and for templates that are not known.
 * @param file below the folder of the configuration
 * @param permalink of the data of its folder; empty where that has none
 */
export function conventionalPath(
  file: string,
  frontMatter: FrontMatter,
  permalink: string,
  site: ConventionalSite,
): string | null {
  const { base } = site;
  const path = pathOf(file, frontMatter, permalink, site);
  return path === null || /^\/*$/.test(path) ? null : toPathname(`${base}/${path}`.replace(/\/{2,}/g, '/'));
}

function pathOf(file: string, frontMatter: FrontMatter, permalink: string, site: ConventionalSite): string | null {
  switch (site.generator) {
    case 'astro':
      return pathOfAstro(file, frontMatter);
    case 'docusaurus':
      return site.blog === undefined ? null : pathOfDocusaurus(file, frontMatter, site.blog);
    case 'eleventy':
      return pathOfEleventy(file, frontMatter, permalink, site.input);
  }
}

/** The address of a post of its blog; those of documentation follow from more than their names. */
function pathOfDocusaurus(file: string, frontMatter: FrontMatter, blog: string): string | null {
  const [, inside] = /^blog\/(.+?)(?:\/index)?\.mdx?$/.exec(file) ?? [];
  if (inside === undefined) return null;
  const [, folder = '', day = '', text = ''] = /^(.*?)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*)$/.exec(inside) ?? [];
  const own = day === '' ? inside : `${day.replaceAll('-', '/')}/${folder}${text}`;
  return `${blog}/${readText(frontMatter, 'slug') || own}`;
}

function pathOfAstro(file: string, frontMatter: FrontMatter): string | null {
  const page = pages.exec(file)?.[1];
  if (page !== undefined) return `${page.replace(/(?:^|\/)index$/, '')}/`;
  const [, name, id = ''] = collection.exec(file) ?? [];
  if (name === undefined) return null;
  const own = id
    .replace(/\/index$/, '')
    .split('/')
    .map(urlize)
    .join('/');
  return `${name}/${readText(frontMatter, 'slug') || own}/`;
}

function pathOfEleventy(file: string, frontMatter: FrontMatter, permalink: string, input: string): string | null {
  const isInside = input === '' || file.startsWith(`${input}/`);
  const { eleventyComputed } = frontMatter;
  const isComputed = isRecord(eleventyComputed) && eleventyComputed['permalink'] !== undefined;
  const own = readText(frontMatter, 'permalink');
  // An address without variables is kept by itself.
  if (!isInside || isComputed || (own !== '' && !own.includes('{{'))) return null;
  const template = own || permalink;
  const { dir, name } = posix.parse(input === '' ? file : file.slice(input.length + 1));
  const { rest } = splitDatedName(name);
  const stem = posix.join('/', dir, rest);
  const slug = rest === 'index' ? splitDatedName(posix.basename(dir)).rest : rest;
  if (template === '') return `${stem.replace(/\/index$/, '')}/`;
  const unknown: string[] = [];
  const path = template.replace(filled, (_all, key: string, filter: string | undefined) => {
    const values: Readonly<Record<string, string>> = { 'page.fileSlug': slug, 'page.filePathStem': stem };
    const value = values[key] ?? readText(frontMatter, key);
    if (value === '') unknown.push(key);
    return filter === undefined ? value : urlize(value);
  });
  if (unknown.length > 0 || /\{[{%]|\$\{/.test(path)) return null;
  return path.replace(/(?:^|\/)index\.html$/, '/');
}
