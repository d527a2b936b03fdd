import { paths } from '../../src/shared/paths.js';
import { sitePages } from '../../src/shared/site-pages.js';
import type { ItemFields, PageField } from '../../src/shared/contracts/page-texts/fields.js';
import { findDifferences } from '../../src/shared/contracts/page-texts/differences.js';
import { isEditedPage, textFields, type EditedPage } from '../../src/shared/contracts/page-texts/page-texts.js';

/** The words of the screens of pages. */
export const pageTextMessages = {
  title: 'Pages',
  lede: 'What the pages of the site say: texts, lists and prices',
} as const;

/** The name of a page. */
export function pageLabel(page: EditedPage): string {
  return sitePages[page].label;
}

/** The name of a text in words: 'Pricing: Plans'. */
function describeName(name: string): string {
  const field = textFields.get(name);
  return field === undefined ? name : `${pageLabel(field.page)}: ${field.label}`;
}

/** A place within a text, such as `pricing.plans[1].price`, in words: 'Pricing: Plans, plan 2, The most it costs'. */
export function describePath(path: string): string {
  const name = /^\w+\.\w+/.exec(path)?.[0] ?? path;
  const steps = path.slice(name.length).match(/\[\d+\]|\.\w+/g) ?? [];
  let field: PageField | undefined = textFields.get(name);
  const words = [describeName(name)];
  for (const step of steps) {
    const fields: ItemFields = field?.kind === 'list' ? field.of : {};
    if (step.startsWith('[')) {
      words.push(`${field?.kind === 'list' ? field.entry : 'line'} ${Number(step.slice(1, -1)) + 1}`);
    } else {
      field = fields[step.slice(1)];
      words.push(field?.label ?? step.slice(1));
    }
  }
  return words.join(', ');
}

/** A value in some words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.length > 160 ? `“${value.slice(0, 160)}…”` : `“${value}”`;
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  if (typeof value === 'number') return String(value);
  const texts = Object.values(value ?? {}).filter((each) => typeof each === 'string');
  return describeValue(texts.find((each) => each.includes(' ')) ?? texts[0] ?? 'an entry');
}

/** A number of texts in words. */
export function countTexts(count: number, what: string): string {
  return `${count === 1 ? '1 text' : `${count} texts`} ${what}`;
}

/** The texts of pages as a document of settings. */
export const textsKind = {
  document: 'pages',
  area: paths.admin.pages,
  labelOf: describePath,
  describe: (_name: string, value: unknown) => describeValue(value),
  compare: findDifferences,
  screenOf: (name: string) => {
    const page = name.split('.', 1)[0] ?? '';
    return isEditedPage(page) ? paths.admin.pageTexts(page) : paths.admin.pages;
  },
};
