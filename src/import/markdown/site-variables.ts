import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as readToml } from 'smol-toml';
import { parse as readYaml } from 'yaml';
import { isRecord } from '../../shared/is-record.js';
import type { FrontMatter } from './front-matter-values.js';
import type { SiteSettings } from './site-settings.js';

const MAX_FILES = 500;
const MAX_LEVELS = 4;
const MAX_BYTES = 1024 * 1024;
const segment = /\.([\w-]{1,100})|\[\s{0,5}(?:"([^"\]]{1,100})"|'([^'\]]{1,100})'|(\d{1,6}))\s{0,5}\]/y;

/** The facts of a site that its posts may use: its configuration, and its data files as `site.data`. */
export class SiteVariables {
  private constructor(private readonly values: FrontMatter) {}

  /**
   * Reads the configuration and the data files beside it, or else the authors that stand beside posts, as in Docusaurus; those that cannot be
   * read are as if they were not there.
   */
  static async load(settings: SiteSettings | null, root: string): Promise<SiteVariables> {
    if (settings === null) return new SiteVariables({ authors: await readAuthors(root) });
    const { values, generator, folder } = settings;
    const own = values['data_dir'];
    const name = generator === 'jekyll' ? (typeof own === 'string' && !own.includes('..') ? own : '_data') : 'data';
    return new SiteVariables({ ...values, data: await readData(join(folder, name), { files: MAX_FILES }) });
  }

  /** The value at a path such as `site.data.team[0].name`, if it is a text or a number; null otherwise. */
  find(path: string): string | null {
    return path.startsWith('site') ? valueAt(this.values, path.slice('site'.length)) : null;
  }

  /** The names of authors that posts mention by a key, from `_data/authors.yml` or the configuration. */
  nameAuthors(written: string): string {
    const lists = [this.values['authors'], isRecord(this.values['data']) ? this.values['data']['authors'] : undefined];
    return written
      .split(', ')
      .map((key) => lists.map((list) => nameIn(list, key)).find((name) => name !== null) ?? key)
      .join(', ');
  }
}

/** The text or number at a path of names (`.a.b`, `["a"]`, `[0]`) in a value; null when there is none. */
export function valueAt(root: unknown, path: string): string | null {
  let value = root;
  const pattern = new RegExp(segment);
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (match === null) return null;
    const [, plain, quoted, single, index] = match;
    if (index !== undefined) value = Array.isArray(value) ? (value as unknown[])[Number(index)] : undefined;
    else {
      const name = plain ?? quoted ?? single ?? '';
      value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
  }
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function nameIn(list: unknown, key: string): string | null {
  if (Array.isArray(list)) {
    const names = ['id', 'key', 'username', 'slug', 'short_name', 'login'];
    const entry = (list as unknown[]).find((each) => isRecord(each) && names.some((name) => each[name] === key));
    return entry === undefined ? null : nameOf(entry);
  }
  return isRecord(list) && Object.hasOwn(list, key) ? nameOf(list[key]) : null;
}

function nameOf(person: unknown): string | null {
  if (typeof person === 'string') return person.trim() || null;
  if (!isRecord(person)) return null;
  const names = ['name', 'display_name', 'displayName', 'full_name', 'title'].map((name) => person[name]);
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '');
  return name?.replace(/\s+/g, ' ').trim() ?? null;
}

async function readAuthors(root: string): Promise<unknown> {
  for (const folder of [root, join(root, 'blog')]) {
    for (const ending of ['yml', 'yaml', 'json']) {
      const authors = await readDataFile(join(folder, `authors.${ending}`), ending);
      if (authors !== null) return authors;
    }
  }
  return null;
}

async function readData(folder: string, left: { files: number }, level = 1): Promise<Record<string, unknown>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const values: [string, unknown][] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (level < MAX_LEVELS) values.push([entry.name, await readData(path, left, level + 1)]);
      continue;
    }
    const [, name = '', ending = ''] = /^(.+)\.(ya?ml|json|toml)$/i.exec(entry.name) ?? [];
    if (name === '' || !entry.isFile() || left.files === 0) continue;
    left.files -= 1;
    values.push([name, await readDataFile(path, ending)]);
  }
  return Object.fromEntries(values);
}

async function readDataFile(path: string, ending: string): Promise<unknown> {
  try {
    if ((await stat(path)).size > MAX_BYTES) return null;
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    return ending.toLowerCase() === 'toml' ? readToml(text) : (readYaml(text) as unknown);
  } catch {
    return null;
  }
}
