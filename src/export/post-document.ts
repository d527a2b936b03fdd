import { plainToInstance } from 'class-transformer';
import { readExportedBody } from '../import/exported/exported-body.js';
import { parseFrontMatter } from '../import/markdown/front-matter.js';
import { SavePostInput } from '../shared/contracts/admin-post-inputs.js';
import { mapFields, specOf, transferredFields, type PostField } from '../shared/contracts/post-fields.js';
import { markdownToHtml } from '../shared/markdown-to-html.js';
import { readMoment } from '../shared/moments.js';
import { DocumentError, type DocumentProblem } from './export.error.js';

/**
 * Lines of the front matter that tell of a post and are changed by commands of their own, if at all. Nobody has to set
 * back when it was last changed.
 */
const FACTS: Readonly<Record<string, string | null>> = {
  draft: 'posts publish, posts unpublish',
  published: 'posts publish, posts unpublish',
  scheduled: 'posts schedule',
  aliases: 'redirects add',
  created: null,
  updated: null,
  id: null,
};

/** The text itself, and how it is written. */
const BODY = 'content';
const FORMAT = 'format';
const DATE = 'date';

/** The fields that stand in the front matter, with their names there. */
const lines = new Map(
  transferredFields.filter((name) => name !== BODY).map((name) => [specOf(name).frontMatter ?? name, name] as const),
);

/** A post as somebody wrote it: the Markdown form of an export, or a part of it. */
export interface WrittenPost {
  readonly values: Readonly<Record<string, unknown>>;
  /** Fields by their names here; what is not in the front matter is null. */
  readonly texts: Readonly<Partial<Record<PostField, unknown>>>;
  readonly html: string;
  /** As it is written; null for none. */
  readonly date: string | null;
}

/**
 * Reads a post in its Markdown form.
 * @param isNew true for a text that is no export, which needs no front matter and is read as Markdown from elsewhere
 * @throws DocumentError that names the lines of what cannot be read
 */
export function readWrittenPost(text: string, isNew: boolean): WrittenPost {
  const { frontMatter: values, body } = split(text, isNew);
  const problems = Object.entries(values).flatMap(([name, value]) => judge(name, value, text));
  if (problems.length > 0) throw new DocumentError(problems);
  const texts = mapFields<Partial<Record<PostField, unknown>>>([...lines.values()], () => null);
  for (const [name, field] of lines) texts[field] = values[name] ?? null;
  const html = readExportedBody(body, values[FORMAT]) ?? markdownToHtml(body);
  return { values, texts, html, date: (values[DATE] as string | null | undefined) ?? null };
}

/**
 * The input that a written post is.
 * @param version of the post that it is written over; 0 for a new one
 * @param before the date that the post has, as it is written; a date that stays decides nothing
 * @throws DocumentError for a date that is none
 */
export function toInput(
  { texts, html, date, values }: WrittenPost,
  { version, before, timeZone, text }: { version: number; before: string | null; timeZone: string; text: string },
): SavePostInput {
  const published = date === before ? undefined : date === null ? null : readMoment(date, timeZone)?.toISOString();
  if (published === undefined && date !== before) {
    throw new DocumentError([
      {
        line: lineOf(text, DATE),
        message: `date is none like 2026-01-31 or 2026-01-31 09:00: ${String(values[DATE])}`,
      },
    ]);
  }
  const fields = { ...texts, content: html, version };
  return plainToInstance(SavePostInput, published === undefined ? fields : { ...fields, published_date: published });
}

/**
 * Names facts that are not as they were.
 * @throws DocumentError
 */
export function refuseOtherFacts(text: string, values: WrittenPost['values'], before: WrittenPost['values']): void {
  const changed = Object.keys(FACTS).filter(
    (name) =>
      name !== 'updated' && values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(before[name]),
  );
  if (changed.length === 0) return;
  throw new DocumentError(
    changed.map((name) => ({ line: lineOf(text, name), message: `${name} is not changed here${adviceFor(name)}` })),
  );
}

/** Names the facts that a new post does not take over from a text. */
export function factsIn({ values }: WrittenPost): string[] {
  // Every new post is a draft.
  return Object.keys(FACTS).filter(
    (name) =>
      values[name] !== undefined &&
      !(name === 'draft' && values[name] === true) &&
      !(name === 'published' && values[name] === false),
  );
}

/** The line of a text in which a field of its front matter begins, counted from 1; null for none. */
export function lineOf(text: string, name: string): number | null {
  const written = text.split('\n');
  const index = written.findIndex((line) => line.startsWith(`${name}:`));
  return index < 0 ? null : index + 1;
}

/** The name of a field in the front matter. */
export function nameOf(field: string): string {
  return [...lines].find(([, name]) => name === field)?.[0] ?? field;
}

function split(text: string, isNew: boolean): { frontMatter: Readonly<Record<string, unknown>>; body: string } {
  if (isNew && !/^(?:---|\+\+\+)[ \t]*\n|^\{\s*["}]/.test(text)) return { frontMatter: {}, body: text };
  return parseFrontMatter(text);
}

function judge(name: string, value: unknown, text: string): DocumentProblem[] {
  const problem = (message: string) => [{ line: lineOf(text, name), message }];
  if (name in FACTS) return [];
  const field = lines.get(name);
  if (field === undefined && name !== FORMAT && name !== DATE) {
    return problem(`${name} is no field of a post; there are ${[...lines.keys(), DATE].join(', ')}`);
  }
  if (name === FORMAT && readExportedBody('', value) === null) return problem(`format is none of the known ones`);
  if (value === null || typeof value === 'string') return [];
  if (field !== undefined && specOf(field).kind === 'words') {
    return isTexts(value) ? [] : problem(`${name} is not a list of texts: put numbers and the like in quotation marks`);
  }
  return problem(`${name} is not a text: put it in quotation marks`);
}

function adviceFor(name: string): string {
  const command = FACTS[name] ?? null;
  return command === null ? '' : `: ${command}`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
