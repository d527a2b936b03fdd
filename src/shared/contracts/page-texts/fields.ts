import type { GlyphName } from '../../glyphs.js';
import type { SitePageName } from '../../site-pages.js';

interface FieldBase {
  /** Its name for people. */
  readonly label: string;
  /** Says more where the label does not. */
  readonly hint?: string;
  /** Placeholders that it has to name somewhere, as pages must say what they stand for. */
  readonly requires?: readonly string[];
}

interface TextField extends FieldBase {
  /**
   * `line` is one line, `text` a paragraph. `rich` is Markdown as far as {@link file://./rich-text.ts} reads it. All of them may name
   * facts in braces, such as `{company}` (placeholders.ts).
   */
  readonly kind: 'line' | 'text' | 'rich';
  /** In characters; longer ones are refused. */
  readonly limit: number;
  /** True where it may be empty. */
  readonly isOptional?: true;
}

interface PriceField extends FieldBase {
  /** An amount in the currency of the site, with cents where they are not zero. */
  readonly kind: 'price';
}

interface GlyphField extends FieldBase {
  /** One of the drawings of the site. */
  readonly kind: 'glyph';
}

interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  /** The choices, in words. */
  readonly options: Readonly<Record<string, string>>;
}

interface LinesField extends FieldBase {
  /** Some lines. */
  readonly kind: 'lines';
  /** Characters of each line; longer ones are refused. */
  readonly limit: number;
}

interface ListField extends FieldBase {
  /** Some entries of the same fields. */
  readonly kind: 'list';
  /** One entry in a word, such as 'plan'. */
  readonly entry: string;
  readonly of: ItemFields;
  /** Fewer are refused; none have to be there if it is not given. */
  readonly min?: number;
  /** More are refused; {@link MAX_ENTRIES} if it is not given. */
  readonly max?: number;
}

/** Entries that a list has at most. */
export const MAX_ENTRIES = 30;

/** A text or list of a page, or of an entry of a list. */
export type PageField = TextField | PriceField | GlyphField | ChoiceField | LinesField | ListField;

/** The fields of an entry of a list. */
export type ItemFields = Readonly<Record<string, PageField>>;

/** The fields of a page, each with the value that it has as long as nobody says another. */
export type PageFields = Readonly<Record<string, PageField & { readonly fallback: unknown }>>;

/** The value of a field. */
export type ValueOf<Field> = Field extends { readonly kind: 'price' }
  ? number
  : Field extends { readonly kind: 'glyph' }
    ? GlyphName
    : Field extends { readonly kind: 'choice'; readonly options: infer Options }
      ? keyof Options & string
      : Field extends { readonly kind: 'lines' }
        ? readonly string[]
        : Field extends { readonly kind: 'list'; readonly of: infer Item }
          ? readonly ValuesOf<Item>[]
          : string;

/** The values of some fields. */
export type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

/** The texts and lists of a public page, each stated once. */
export interface PageTexts<Fields extends PageFields = PageFields> {
  readonly page: SitePageName;
  readonly fields: Fields;
  /** The values of an installation that nobody has edited. */
  readonly defaults: ValuesOf<Fields>;
}

/** States the texts and lists of a page: its form, rules, files and versions derive from it (decision 109). */
export function definePage<const Fields extends PageFields>(page: SitePageName, fields: Fields): PageTexts<Fields> {
  const defaults = Object.entries(fields).map(([name, { fallback }]) => [name, fallback]);
  return { page, fields, defaults: Object.fromEntries(defaults) as ValuesOf<Fields> };
}
