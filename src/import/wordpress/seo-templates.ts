/** Texts that templates can refer to; empty where they are not known. */
export interface SeoValues {
  readonly title: string;
  readonly excerpt: string;
  readonly author: string;
  readonly category: string;
  readonly id: string;
  readonly focus: string;
  readonly siteName: string;
  readonly tagline: string;
}

interface Template {
  /** A variable, with its name as the only group. */
  readonly variable: RegExp;
  readonly values: SeoValues;
  /** Pages here have the name of the site behind their title, so that titles need not have it. */
  readonly isTitle: boolean;
}

interface ResolvedText {
  /** Null for what is empty, cannot be resolved, or says only what pages here say anyway. */
  readonly text: string | null;
  /** Variables, as written, whose values are not known. */
  readonly unknown: readonly string[];
}

interface Part {
  readonly text: string;
  /** Undefined for words. */
  readonly variable?: string;
}

const NOTHING: ResolvedText = { text: null, unknown: [] };

/** Variables by the names that Yoast SEO and Rank Math have for them; {@link aliases} are those of others. The separator is a setting that no export has. */
const resolvers: ReadonlyMap<string, (values: SeoValues) => string> = new Map([
  ['title', ({ title }) => title],
  ['excerpt', ({ excerpt }) => excerpt],
  ['excerpt_only', ({ excerpt }) => excerpt],
  ['name', ({ author }) => author],
  ['post_author', ({ author }) => author],
  ['category', ({ category }) => category],
  ['primary_category', ({ category }) => category],
  ['id', ({ id }) => id],
  ['focuskw', ({ focus }) => focus],
  ['sitename', ({ siteName }) => siteName],
  ['sitedesc', ({ tagline }) => tagline],
  ['sep', () => '-'],
] satisfies [string, (values: SeoValues) => string][]);

/** Names that other plugins have for the same. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['post_title', 'title'],
  ['page_title', 'title'],
  ['site_title', 'sitename'],
  ['sitetitle', 'sitename'],
  ['blog_title', 'sitename'],
  ['separator_sa', 'sep'],
  ['separator', 'sep'],
  ['post_excerpt', 'excerpt'],
  ['post_excerpt_only', 'excerpt_only'],
  ['author_name', 'name'],
  ['tagline', 'sitedesc'],
  ['post_category', 'category'],
  ['_category_title', 'category'],
  ['taxonomy_title', 'category'],
  ['target_keyword', 'focuskw'],
]);

const ofTheSite = new Set(['sep', 'sitename']);
const separators = /^[\s|:\-–—·•»«*~]*$/;
const separatorAtStart = /^\s*[|:\-–—·•»«*~]+\s/;
const separatorAtEnd = /\s[|:\-–—·•»«*~]+\s*$/;

/** Resolves a title or a description of a plugin for search engines, in which variables stand for other texts. */
export function resolveSeoText(written: string, template: Template): ResolvedText {
  const parts = splitAtVariables(written, template.variable);
  if (!parts.some(({ variable }) => variable !== undefined)) return { ...NOTHING, text: written || null };
  const own = template.isTitle ? withoutSite(parts) : parts;
  const usual = template.isTitle ? /^title$/ : /^excerpt(?:_only)?$/;
  const [first, ...others] = own;
  if (first === undefined || (others.length === 0 && usual.test(first.variable ?? ''))) return NOTHING;
  const values = own.map((part) => ({ part, value: valueOf(part, template.values) }));
  const unknown = values.filter(({ value }) => value === '').map(({ part }) => part.text);
  if (unknown.length > 0) return { text: null, unknown };
  const text = oneLine(values.map(({ value }) => value).join(''));
  const isUsual = text === oneLine(template.isTitle ? template.values.title : template.values.excerpt);
  return { ...NOTHING, text: isUsual ? null : text || null };
}

/** The number of the page is left out: posts have one page here. */
function splitAtVariables(written: string, variable: RegExp): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of written.matchAll(variable)) {
    parts.push(
      { text: written.slice(at, match.index) },
      { text: match[0], variable: aliases.get(match[1] ?? '') ?? match[1] ?? '' },
    );
    at = match.index + match[0].length;
  }
  return [...parts, { text: written.slice(at) }].filter(({ text, variable: name }) => text !== '' && name !== 'page');
}

/** Takes the name of the site off both ends, with what separates it from the rest. */
function withoutSite(parts: readonly Part[]): Part[] {
  const isOfSite = ({ text, variable }: Part) =>
    variable === undefined ? separators.test(text) : ofTheSite.has(variable);
  const start = parts.findIndex((part) => !isOfSite(part));
  const end = parts.findLastIndex((part) => !isOfSite(part));
  if (start < 0) return [];
  const kept = parts.slice(start, end + 1);
  const isAlone = kept.length === parts.length;
  return isAlone ? kept : kept.map((part, index) => trimPart(part, index === 0, index === kept.length - 1));
}

function trimPart(part: Part, isFirst: boolean, isLast: boolean): Part {
  if (part.variable !== undefined) return part;
  const start = isFirst ? part.text.replace(separatorAtStart, '') : part.text;
  return { text: isLast ? start.replace(separatorAtEnd, '') : start };
}

function valueOf({ text, variable }: Part, values: SeoValues): string {
  return variable === undefined ? text : (resolvers.get(variable)?.(values) ?? '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
