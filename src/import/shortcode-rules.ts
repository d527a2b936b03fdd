import { readFile, stat } from 'node:fs/promises';
import { ImportSourceError } from './import.errors.js';

/** The fate of a tag: it goes with what it encloses, it goes alone, or it becomes a text. */
export type ShortcodeRule = 'drop' | 'keep inner' | { readonly text: string };

/** The arguments of a tag, and what it encloses. */
export interface TagArguments {
  readonly attributes: ReadonlyMap<string, string>;
  /** Arguments without a name. */
  readonly values: readonly string[];
  /** Empty for a tag that encloses nothing. */
  readonly inner: string;
}

const MAX_BYTES = 1024 * 1024;
const placeholder = /\{([\w.-]{1,60}(?:\|[\w.-]{1,60}){0,9})\}/g;

/** The rules of an operator for tags of the source, by their names; a star in a name is any text. */
export class ShortcodeRules {
  private readonly patterns: readonly { readonly pattern: RegExp; readonly rule: ShortcodeRule }[];

  constructor(private readonly rules: ReadonlyMap<string, ShortcodeRule> = new Map()) {
    this.patterns = [...rules].flatMap(([name, rule]) => {
      if (!name.includes('*')) return [];
      const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
      return [{ pattern: new RegExp(`^${parts.join('[^]*')}$`), rule }];
    });
  }

  /**
   * Returns the rule for a tag, undefined when there is none.
   * @param names what the tag is called, the most exact name first: `include video.html`, `video.html`, `video`
   */
  find(names: readonly string[]): ShortcodeRule | undefined {
    const spelled = names.map((name) => name.toLowerCase());
    const exact = spelled.find((name) => this.rules.has(name));
    if (exact !== undefined) return this.rules.get(exact);
    return this.patterns.find(({ pattern }) => spelled.some((name) => pattern.test(name)))?.rule;
  }
}

/**
 * Reads the file of `--shortcodes`: YAML or JSON, a rule for each name of a tag.
 * @throws ImportSourceError that names what is wrong in it
 */
export async function readShortcodeRules(path: string): Promise<ShortcodeRules> {
  const fail = (reason: string): never => {
    throw new ImportSourceError(`${path} (--shortcodes): ${reason}`);
  };
  const stats = await stat(path).catch(() => null);
  if (stats?.isFile() !== true) return fail('there is no such file');
  if (stats.size > MAX_BYTES) return fail('is larger than 1 MB');
  let written: unknown;
  // Large, and servers read none.
  const { parse: readYaml } = await import('yaml');
  try {
    written = readYaml((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail(`is no YAML or JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return fail('has to be names of tags with what becomes of them, like "note: keep inner"');
  }
  const rules = new Map<string, ShortcodeRule>();
  for (const [name, value] of Object.entries(written as Record<string, unknown>)) {
    const rule = toRule(value);
    if (rule === null) return fail(`"${name}" has to be a text, "drop", "keep inner" or {text: …}`);
    const spelled = name.trim().replace(/\s+/g, ' ').toLowerCase();
    if (rules.has(spelled)) return fail(`"${spelled}" is there twice, as case does not count`);
    rules.set(spelled, rule);
  }
  return new ShortcodeRules(rules);
}

function toRule(value: unknown): ShortcodeRule | null {
  if (value === 'drop' || value === 'keep inner') return value;
  if (typeof value === 'string') return { text: value };
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'text') return null;
  const { text } = value as { readonly text: unknown };
  return typeof text === 'string' ? { text } : null;
}

/**
 * Writes a tag as its template says: `{1}` is its first argument without a name, `{alt}` one with a name, `{inner}` what
 * it encloses, and `{alt|1}` the first of these that there is. What is not there is empty.
 */
export function fillTemplate(template: string, { attributes, values, inner }: TagArguments): string {
  return template.replace(placeholder, (_all, written: string) => {
    for (const name of written.split('|')) {
      if (name === 'inner') {
        if (inner.trim() !== '') return inner;
        continue;
      }
      const value = /^\d{1,3}$/.test(name) ? values[Number(name) - 1] : attributes.get(name.toLowerCase());
      if (value !== undefined && value !== '') return escapeValue(value);
    }
    return '';
  });
}

/** A value as text or attribute of HTML, in one line; some sources have escaped it already. */
export function escapeValue(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(/&(?!#?\w{1,20};)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Counts what happens to tags, so that each is named once, with its count. */
export class TagNotes {
  private readonly counts = new Map<string, number>();

  /** @param note what happened to the tag: 'the tag {% x %} was left in the text' */
  add(note: string): void {
    this.counts.set(note, (this.counts.get(note) ?? 0) + 1);
  }

  list(): string[] {
    return [...this.counts].map(([note, count]) => `${note} (${count === 1 ? 'once' : `${count} times`})`);
  }
}
