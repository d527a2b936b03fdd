import { cleanCharacters } from '../../clean-characters.js';
import { glyphs } from '../../glyphs.js';
import { isRecord } from '../../is-record.js';
import { MAX_ENTRIES, type ItemFields, type PageField } from './fields.js';
import { editedPages, pagesWithPrices, placeholdersFor, textsOf, type EditedPage } from './page-texts.js';
import { placeholdersOf } from './placeholders.js';
import { findUnsafeAddresses } from './rich-text.js';

/** More than any plan costs. */
const MAX_PRICE = 1_000_000;

/** One thing that is wrong with a value. */
export interface TextProblem {
  /** The place of it, such as `pricing.plans[1].price`. */
  readonly path: string;
  readonly message: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads a value as it is stored: texts without blanks around them, entries with their fields in the order of the
 * model. What has another type comes back as it is, to be refused.
 */
export function cleanValue(field: PageField, value: unknown): unknown {
  switch (field.kind) {
    case 'line':
    case 'text':
      return typeof value === 'string' ? cleanText(value) : value;
    case 'rich':
      return typeof value === 'string' ? cleanRich(value) : value;
    case 'price':
      return typeof value === 'string' ? readPrice(value) : value;
    case 'glyph':
    case 'choice':
      return value;
    case 'lines':
      return Array.isArray(value)
        ? value
            .map((line: unknown) => (typeof line === 'string' ? cleanText(line) : line))
            .filter((line) => line !== '')
        : value;
    case 'list':
      return Array.isArray(value) ? value.map((entry: unknown) => cleanEntry(field.of, entry)) : value;
  }
}

/**
 * Returns the number of an amount as people type it, with a point or a comma before its cents: on phones of many regions the
 * keyboard for numbers has a comma only. What is no amount comes back as it is.
 */
export function readPrice(typed: string): string | number {
  return /^\s*\$?\d{1,9}(?:[.,]\d{1,2})?\s*$/.test(typed) ? Number(typed.replace('$', '').replace(',', '.')) : typed;
}

function cleanText(text: string): string {
  return cleanCharacters(text).replace(/\s+/g, ' ').trim().normalize('NFC');
}

function cleanRich(text: string): string {
  const lines = cleanCharacters(text)
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .normalize('NFC');
}

function cleanEntry(fields: ItemFields, entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const known = Object.entries(fields).flatMap(([name, field]) => {
    const value = entry[name] ?? emptyValueOf(field);
    return value === undefined ? [] : [[name, cleanValue(field, value)] as const];
  });
  const others = Object.entries(entry).filter(([name]) => !Object.hasOwn(fields, name));
  return { ...Object.fromEntries(known), ...Object.fromEntries(others) };
}

/** The value of a field that an entry lacks, as entries do that an earlier release stored; undefined where it needs one. */
function emptyValueOf(field: PageField): unknown {
  if (field.kind === 'choice') return Object.keys(field.options)[0];
  if (field.kind === 'lines' || field.kind === 'list') return [];
  return 'isOptional' in field && field.isOptional ? '' : undefined;
}

/** Names everything that is wrong with a value, as {@link cleanValue} made it; empty where nothing is. */
export function findTextProblems(page: EditedPage, field: PageField, value: unknown, path: string): TextProblem[] {
  const known = placeholdersFor(page, field);
  const problems = examine(field, value, path, (text) => placeholdersOf(text).filter((name) => !(name in known)));
  if (problems.length > 0) return problems;
  const named = placeholdersOf(JSON.stringify(value));
  const missing = (field.requires ?? []).filter((name) => !named.includes(name));
  return missing.map((name) => ({ path, message: `must name {${name}} somewhere: pages have to say it` }));
}

function examine(
  field: PageField,
  value: unknown,
  path: string,
  findUnknown: (text: string) => readonly string[],
): TextProblem[] {
  const problem = (message: string): TextProblem[] => [{ path, message: `${field.label} ${message}` }];
  switch (field.kind) {
    case 'line':
    case 'text':
    case 'rich': {
      if (typeof value !== 'string') return problem(value === undefined ? 'is required' : 'must be a text');
      if (value === '') return field.isOptional ? [] : problem('is required');
      if ([...value].length > field.limit) return problem(`too long (${field.limit} characters at most)`);
      const [unknown] = findUnknown(value);
      if (unknown !== undefined) return problem(`names {${unknown}}, which stands for nothing here`);
      const [unsafe] = field.kind === 'rich' ? findUnsafeAddresses(value) : [];
      return unsafe === undefined ? [] : problem(`has a link that leads nowhere: ${unsafe}`);
    }
    case 'price':
      return isPrice(value) ? [] : problem('must be a number from 0 to 1000000, with two decimals at most');
    case 'glyph':
      return typeof value === 'string' && Object.hasOwn(glyphs, value) ? [] : problem('must be the name of a drawing');
    case 'choice':
      return typeof value === 'string' && Object.hasOwn(field.options, value)
        ? []
        : problem(`must be one of ${Object.keys(field.options).join(', ')}`);
    case 'lines': {
      if (!Array.isArray(value)) return problem('must be a list');
      if (value.length > MAX_ENTRIES) return problem(`has too many lines (${MAX_ENTRIES} at most)`);
      const line = { kind: 'line', label: field.label, limit: field.limit } as const;
      return value.flatMap((each, index) => examine(line, each, `${path}[${index}]`, findUnknown));
    }
    case 'list': {
      if (!Array.isArray(value)) return problem('must be a list');
      const { entry, min = 0, max = MAX_ENTRIES, of } = field;
      if (value.length > max) return problem(`has too many entries (${max} at most)`);
      if (value.length < min) return problem(`needs a ${entry} at least`);
      return value.flatMap((each, index) => examineEntry(of, each, `${path}[${index}]`, findUnknown));
    }
  }
}

function isPrice(value: unknown): value is number {
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_PRICE)) return false;
  return Math.abs(Math.round(value * 100) / 100 - value) < 1e-9;
}

function examineEntry(
  fields: ItemFields,
  entry: unknown,
  path: string,
  findUnknown: (text: string) => readonly string[],
): TextProblem[] {
  if (!isRecord(entry)) return [{ path, message: `must have ${Object.keys(fields).join(', ')}` }];
  const others = Object.keys(entry).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...others.map((name) => ({
      path: `${path}.${name}`,
      message: `there is no such field; there are ${Object.keys(fields).join(', ')}`,
    })),
    ...Object.entries(fields).flatMap(([name, field]) => examine(field, entry[name], `${path}.${name}`, findUnknown)),
  ];
}

/**
 * Returns a stored value as this release can use it, or undefined where it cannot. Limits of texts and names of newer
 * releases do not count: it was published.
 */
export function toUsable(field: PageField, value: unknown): unknown {
  const loose = withoutOthers(field, cleanValue(field, value));
  const isWrong = examine(loosen(field), loose, '', () => []).length > 0;
  return isWrong ? undefined : loose;
}

function withoutOthers(field: PageField, value: unknown): unknown {
  if (field.kind !== 'list' || !Array.isArray(value)) return value;
  return value.map((entry: unknown) => {
    if (!isRecord(entry)) return entry;
    const known = Object.entries(entry).flatMap(([name, each]) => {
      const own = field.of[name];
      return own === undefined ? [] : [[name, withoutOthers(own, each)] as const];
    });
    return Object.fromEntries(known);
  });
}

function loosen(field: PageField): PageField {
  switch (field.kind) {
    case 'line':
    case 'text':
    case 'rich':
      // An address that is not safe is shown as words.
      return { ...field, kind: 'line', limit: Infinity, isOptional: true };
    case 'lines':
      return { ...field, limit: Infinity };
    case 'list': {
      const of = Object.fromEntries(Object.entries(field.of).map(([name, own]) => [name, loosen(own)]));
      return { ...field, of };
    }
    default:
      return field;
  }
}

/** The values of all pages. */
export type AllTexts = { readonly [Page in EditedPage]: Values };

/** Names what does not fit together among the values of all pages: texts that name a plan that is not there. */
export function findMisfits(all: AllTexts): TextProblem[] {
  const { plans } = all.pricing;
  if (!Array.isArray(plans) || plans.length >= 2) return [];
  return editedPages
    .filter((page) => pagesWithPrices.includes(page))
    .flatMap((page) =>
      Object.keys(textsOf(page).fields).flatMap((name) => {
        const [missing] = placeholdersOf(JSON.stringify(all[page][name])).filter((each) => each.endsWith('_2'));
        if (missing === undefined) return [];
        return [{ path: `${page}.${name}`, message: `names {${missing}}, and there is no second plan` }];
      }),
    );
}
