import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse as readToml } from 'smol-toml';
import { parse as readYaml } from 'yaml';
import { isRecord } from '../../shared/is-record.js';
import type { ConventionalSite } from './conventional-address.js';
import { readsMarkdown, type DocusaurusSite } from './docusaurus.js';
import { nameOfAddress } from '../source-name.js';

/** The site that a folder of posts belongs to. */
export interface Site {
  /** The folder of its configuration, absolute. */
  readonly folder: string;
  /** Name made of the site's address by `nameOfAddress`; null when the configuration has no address. */
  readonly name: string | null;
  /** Why there is no name. */
  readonly hint?: string;
  /** Null where addresses follow from the configuration, or nothing is known of them. */
  readonly conventions: ConventionalSite | null;
  /** Present for a site of Docusaurus. */
  readonly docusaurus?: DocusaurusSite;
}

interface ConfigFile {
  readonly path: string;
  readonly read: (text: string) => string | undefined;
  /** The address that the generator writes into every new site, which therefore is nobody's. */
  readonly placeholder?: RegExp;
}

/** Deeper than sections of sections in languages are. */
const MAX_LEVELS = 8;
const MAX_BYTES = 1024 * 1024;

const parsers = { toml: readToml, yaml: readYaml, yml: readYaml, json: JSON.parse } as Readonly<
  Record<string, (text: string) => unknown>
>;

function fields(path: string, ...names: readonly string[]): ConfigFile['read'] {
  const parse = parsers[path.slice(path.lastIndexOf('.') + 1)];
  return (text) => {
    const values = parse?.(text);
    if (!isRecord(values)) return undefined;
    const texts = Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
    );
    const parts = names.map((name) => texts.find(([other]) => other === name)?.[1].trim() ?? '');
    return parts[0] === '' ? undefined : parts.map((part, index) => (index > 0 ? `/${part}` : part)).join('');
  };
}

/** Configurations that are programs are not run: what stands in them is read. */
function inProgram(...names: readonly string[]): ConfigFile['read'] {
  return (text) => {
    const code = text.replace(/^\s*\/\/.*$/gm, '');
    const values = names.map(
      (name) => new RegExp(`\\b${name}["']?\\s*:\\s*(["'\`])([^"'\`$]*)\\1`).exec(code)?.[2] ?? '',
    );
    return values[0] === '' ? undefined : values.map((value, index) => (index > 0 ? `/${value}` : value)).join('');
  };
}

const ELEVENTY = ['.eleventy', 'eleventy.config'].flatMap((name) =>
  ['js', 'mjs', 'cjs', 'ts'].map((ending) => `${name}.${ending}`),
);
const hugo = ['hugo', 'config'].flatMap((name) => ['toml', 'yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`));
const ofHugo = /^https?:\/\/(?:www\.)?example\.(?:org|com)\/?$/i;
const ofStarters = /^https?:\/\/(?:www\.)?(?:my-site\.com|example\.com)\/?$/i;

const configFiles: readonly ConfigFile[] = [
  ...['_config.yml', '_config.yaml', '_config.toml'].map((path) => ({ path, read: fields(path, 'url', 'baseurl') })),
  ...[...hugo, ...hugo.map((path) => `config/_default/${path}`)].map((path) => ({
    path,
    // Zola's has the same name, and another word.
    read: (text: string) => fields(path, 'baseurl')(text) ?? fields(path, 'base_url')(text),
    placeholder: ofHugo,
  })),
  { path: 'zola.toml', read: fields('zola.toml', 'base_url'), placeholder: ofStarters },
  ...['mjs', 'js', 'ts', 'mts', 'cjs'].map((ending) => ({
    path: `astro.config.${ending}`,
    read: inProgram('site', 'base'),
    placeholder: ofStarters,
  })),
  ...['js', 'ts', 'mjs', 'cjs', 'mts'].map((ending) => ({
    path: `docusaurus.config.${ending}`,
    read: inProgram('url', 'baseUrl'),
    placeholder: /^https?:\/\/your-docusaurus-(?:test-)?site\.(?:example\.)?com\/*$/i,
  })),
  ...['_data', 'src/_data', 'content/_data'].flatMap((folder) =>
    ['site', 'metadata', 'meta'].flatMap((name) => [
      { path: `${folder}/${name}.json`, read: fields('x.json', 'url'), placeholder: ofStarters },
      { path: `${folder}/${name}.js`, read: inProgram('url'), placeholder: ofStarters },
    ]),
  ),
];

/**
 * Finds the site that a folder belongs to: the nearest configuration of Jekyll, Hugo, Zola, Astro, Docusaurus or Eleventy in it or
 * above it, no further up than the repository. A link is followed up where it was named first, then where it leads.
 * @param path as it was given
 * @returns null when there is none
 */
export async function findSite(path: string): Promise<(Site & { readonly prefix: string }) | null> {
  const named = resolve(path);
  const real = await realpath(named).catch(() => named);
  for (const start of new Set([named, real])) {
    const site = await findAbove(start);
    if (site !== null) return { ...site, prefix: relative(site.folder, start).split(sep).join('/') };
  }
  return null;
}

async function findAbove(start: string): Promise<Site | null> {
  let folder = start;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const site = await readSite(folder);
    if (site !== null) return site;
    const isEnd = dirname(folder) === folder || (await exists(join(folder, '.git')));
    if (isEnd) return null;
    folder = dirname(folder);
  }
  return null;
}

async function readSite(folder: string): Promise<Site | null> {
  let hint: string | undefined;
  let docusaurus: Pick<Site, 'docusaurus'> = {};
  for (const { path, read, placeholder } of configFiles) {
    const address = await readAddress(join(folder, path), read);
    if (address === undefined) continue;
    const name = placeholder?.test(address.replace(/\/+$/, '/')) === true ? null : nameOfAddress(address);
    if (path.startsWith('docusaurus.config')) {
      const other = await readAddress(join(folder, path), readsMarkdown);
      docusaurus = { docusaurus: { isMdx: other === undefined } };
    }
    if (name !== null) return { folder, name, conventions: await readConventions(folder, path, name), ...docusaurus };
    hint ??= `the address in ${path} is ${address}, which is no site's own`;
  }
  return hint === undefined ? null : { folder, name: null, hint, conventions: null, ...docusaurus };
}

async function readConventions(folder: string, path: string, name: string): Promise<ConventionalSite | null> {
  const base = name.includes('/') ? name.slice(name.indexOf('/')) : '';
  if (path.startsWith('astro.config')) return { generator: 'astro', base, input: '' };
  if (path.startsWith('docusaurus.config')) {
    const blog = await readAddress(join(folder, path), readBlogOfDocusaurus);
    return { generator: 'docusaurus', base, input: '', ...(blog === undefined ? {} : { blog }) };
  }
  if (!path.includes('_data/')) return null;
  const inputs = await Promise.all(
    ELEVENTY.map((file) =>
      readAddress(
        join(folder, file),
        (text) => inProgram('input')(text) ?? /setInputDirectory\(\s*["'`]([^"'`$]*)/.exec(text)?.[1],
      ),
    ),
  );
  const input = inputs.find((found) => found !== undefined) ?? '';
  const linking = await Promise.all(
    ELEVENTY.map((file) => readAddress(join(folder, file), (text) => /\blinkify["']?\s*:\s*true\b/.exec(text)?.[0])),
  );
  const isLinking = linking.some((found) => found !== undefined);
  const coding = await Promise.all([
    ...ELEVENTY.map((file) =>
      readAddress(join(folder, file), (text) => /\.enable\(\s*\[?\s*["'`]code["'`]/.exec(text)?.[0]),
    ),
    readAddress(join(folder, 'package.json'), (text) => /"@11ty\/eleventy"\s*:\s*"[~^]?[01]\./.exec(text)?.[0]),
  ]);
  const hasIndentedCode = coding.some((found) => found !== undefined);
  const engines = await Promise.all(
    ELEVENTY.map((file) => readAddress(join(folder, file), (text) => inProgram('markdownTemplateEngine')(text))),
  );
  const ignored = await Promise.all(ELEVENTY.map((file) => readAddress(join(folder, file), readIgnored)));
  return {
    generator: 'eleventy',
    base,
    input: input.replace(/^(?:\.\/|\/)+|^\.$|\/+$/g, ''),
    isLinking,
    hasIndentedCode,
    isNunjucks: engines.includes('njk'),
    ignored: ignored.flatMap((found) => found?.split('\n') ?? []),
  };
}

/** The path of the blog; undefined where the configuration says something that is not understood. */
function readBlogOfDocusaurus(text: string): string | undefined {
  const own = /\bblog\s*:\s*\{(?:[^{}]|\{[^{}]{0,2000}\}){0,2000}?\brouteBasePath\s*:\s*["']([^"'\n]*)["']/.exec(
    text,
  )?.[1];
  if (own !== undefined) return own.replace(/^\/+|\/+$/g, '');
  const routes = text.match(/\brouteBasePath\b/g)?.length ?? 0;
  const ofDocs = /\bdocs\s*:\s*\{(?:[^{}]|\{[^{}]{0,2000}\}){0,2000}?\brouteBasePath\b/.test(text) ? 1 : 0;
  return routes > ofDocs ? undefined : 'blog';
}

/** The paths that a configuration of Eleventy leaves out, one a line; undefined where it names none. */
function readIgnored(text: string): string | undefined {
  const code = text.replace(/^\s*\/\/.*$/gm, '');
  const paths = [...code.matchAll(/\bignores\.add\(\s*(["'`])([^"'`$\n]{1,500})\1/g)].map(([, , path = '']) => path);
  return paths.length === 0 ? undefined : paths.join('\n');
}

/** Undefined for what is not there, cannot be read, or says nothing. */
async function readAddress(path: string, read: ConfigFile['read']): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return read((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
