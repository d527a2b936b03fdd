import { isRecord } from '../../shared/is-record.js';
import { withSmallNames } from './front-matter-publication.js';
import type { FrontMatter } from './front-matter-values.js';
import { pickPublication } from './publication-fields.js';

/** Reads what a data file of Eleventy says of who can read posts. Those that are programs are not run: what stands in them is read. */
export function readEleventyData(text: string, isJson: boolean): FrontMatter {
  if (isJson) {
    try {
      const values: unknown = JSON.parse(text);
      return isRecord(values) ? withPermalinks(pickPublication(withSmallNames(values))) : {};
    } catch {
      return {};
    }
  }
  const code = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const says = (name: string, value: boolean) => new RegExp(`\\b${name}["']?\\s*:\\s*${value}\\b`).test(code);
  const marks = [
    ...['draft', 'isDraft', 'private', 'hidden', 'unlisted'].map((name) => [name, true] as const),
    ...['published', 'publish', 'public'].map((name) => [name, false] as const),
  ].filter(([name, value]) => says(name, value));
  return {
    ...withSmallNames(Object.fromEntries(marks)),
    ...(says('permalink', false) ? { permalink: false } : {}),
    ...(says('eleventyExcludeFromCollections', true) ? { eleventyexcludefromcollections: true } : {}),
  };
}

/** A template that nobody can fill, for one that a program makes. */
const UNKNOWN = '{{ }}';

/** The template of addresses that a data file has for the texts of a folder; empty where it has none. */
export function readPermalink(text: string): string {
  const code = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const template = /\bpermalink["']?\s*:\s*(["'`])([^"'`\n]{1,500})\1/.exec(code)?.[2];
  return template ?? (/\bpermalink\b/.test(code) ? UNKNOWN : '');
}

/** A pattern of addresses is not read here; that there are none is. */
function withPermalinks({ permalink, ...values }: FrontMatter): FrontMatter {
  return permalink === false ? { ...values, permalink } : values;
}
