import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse as readToml } from 'smol-toml';
import { parse as readYaml } from 'yaml';
import { isRecord } from '../../shared/is-record.js';
import type { FrontMatter } from './front-matter-values.js';

export type Generator = 'jekyll' | 'hugo' | 'zola';

/** The configuration of the generator that makes a site of a folder. */
export interface SiteSettings {
  readonly generator: Generator;
  /** Names in small letters, at the first level. */
  readonly values: FrontMatter;
  /** Path of the folder in its site, with `/`; empty when it is the site. */
  readonly prefix: string;
  /** The folder of the configuration. */
  readonly folder: string;
}

/** Returns true for a site of Hexo, whose configuration has the name of Jekyll's, and much of the same in it. */
export function isHexo(site: Pick<SiteSettings, 'generator' | 'values'> | null): boolean {
  return (
    site?.generator === 'jekyll' && ['new_post_name', 'source_dir'].some((name) => site.values[name] !== undefined)
  );
}

const MAX_LEVELS = 8;
const MAX_BYTES = 1024 * 1024;
const hugoNames = ['hugo', 'config', 'config/_default/hugo', 'config/_default/config'];
const configFiles = [
  ...['_config.yml', '_config.yaml', '_config.toml'],
  ...hugoNames.flatMap((name) => ['toml', 'yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`)),
  'zola.toml',
];

/** Finds the configuration of Jekyll, Hugo or Zola in a folder or the nearest above it; null when there is none. */
export async function findSiteSettings(path: string): Promise<SiteSettings | null> {
  const named = resolve(path);
  const real = await realpath(named).catch(() => named);
  for (const start of new Set([named, real])) {
    let folder = start;
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const found = await readFolder(folder);
      if (found !== null) return { ...found, folder, prefix: relative(folder, start).split(sep).join('/') };
      const isEnd = dirname(folder) === folder || (await readConfig(join(folder, '.git/HEAD'))) !== null;
      if (isEnd) break;
      folder = dirname(folder);
    }
  }
  return null;
}

async function readFolder(folder: string): Promise<Omit<SiteSettings, 'prefix' | 'folder'> | null> {
  for (const name of configFiles) {
    const text = await readConfig(join(folder, name));
    const values = text === null ? null : parse(name, text);
    if (values === null) continue;
    const generator = generatorOf(name, values);
    if (generator !== 'hugo') return { generator, values };
    // Hugo lets them stand in files of their own.
    const own = await Promise.all(
      ['permalinks', 'languages', 'markup'].map(async (table) => {
        const written = await readConfig(join(folder, `config/_default/${table}.toml`));
        const read = written === null ? null : parse(`${table}.toml`, written);
        return read === null ? [] : [[table, read] as const];
      }),
    );
    return { generator, values: { ...values, ...Object.fromEntries(own.flat()) } };
  }
  return null;
}

function generatorOf(name: string, values: FrontMatter): Generator {
  if (name.startsWith('_config')) return 'jekyll';
  return name === 'zola.toml' || typeof values['base_url'] === 'string' ? 'zola' : 'hugo';
}

function parse(name: string, text: string): FrontMatter | null {
  try {
    const values: unknown = name.endsWith('.toml') ? readToml(text) : readYaml(text);
    if (!isRecord(values)) return null;
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  } catch {
    return null;
  }
}

/** Null for what is not there, or cannot be read. */
async function readConfig(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? (await readFile(path, 'utf8')).replace(/^\uFEFF/, '') : null;
  } catch {
    return null;
  }
}
