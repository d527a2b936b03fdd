import { posix } from 'node:path';
import { splitDatedName } from '../post-date.js';
import { isRecord, readText, type FrontMatter } from './front-matter-values.js';
import { toPathname, urlize } from './permalink.js';

/** A site whose addresses follow from where its texts are. */
export interface ConventionalSite {
  readonly generator: 'astro' | 'eleventy';
  /** Path at which it begins, without a slash at its end. */
  readonly base: string;
  /** Folder of the texts of Eleventy, below that of the configuration; empty where it is that folder. */
  readonly input: string;
  /** True where the configuration says that bare addresses become links. */
  readonly isLinking?: boolean;
  /** True where indented lines are code: for Eleventy before its second version, and where the configuration says so. */
  readonly hasIndentedCode?: boolean;
}

const pages = /^src\/pages\/(.+)\.[^./]+$/;
const collection = /^src\/(?:content\/|data\/)?([^/]+)\/(.+)\.[^./]+$/;
const filled = /\{\{-?\s{0,9}([\w.]{1,100})(?:\s{0,9}\|\s{0,9}(slug|slugify|url)(?:\(\))?)?\s{0,9}-?\}\}/g;

/**
 * Returns the address that a text has where its site goes by the conventions of its generator: Astro's page of a collection, Eleventy's
 * path of the file or the template that its folder's data has. Null for others, and for templates that are not known.
 * @param file below the folder of the configuration
 * @param permalink of the data of its folder; empty where that has none
 */
export function conventionalPath(
  file: string,
  frontMatter: FrontMatter,
  permalink: string,
  { generator, base, input }: ConventionalSite,
): string | null {
  const path =
    generator === 'astro' ? pathOfAstro(file, frontMatter) : pathOfEleventy(file, frontMatter, permalink, input);
  return path === null || /^\/*$/.test(path) ? null : toPathname(`${base}/${path}`.replace(/\/{2,}/g, '/'));
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
  if (!isInside || isComputed || readText(frontMatter, 'permalink') !== '') return null;
  const { dir, name } = posix.parse(input === '' ? file : file.slice(input.length + 1));
  const { rest } = splitDatedName(name);
  const stem = posix.join('/', dir, rest);
  const slug = rest === 'index' ? splitDatedName(posix.basename(dir)).rest : rest;
  if (permalink === '') return `${stem.replace(/\/index$/, '')}/`;
  const unknown: string[] = [];
  const path = permalink.replace(filled, (_all, key: string, filter: string | undefined) => {
    const values: Readonly<Record<string, string>> = { 'page.fileSlug': slug, 'page.filePathStem': stem };
    const value = values[key] ?? readText(frontMatter, key);
    if (value === '') unknown.push(key);
    return filter === undefined ? value : urlize(value);
  });
  if (unknown.length > 0 || /\{[{%]|\$\{/.test(path)) return null;
  return path.replace(/(?:^|\/)index\.html$/, '/');
}
