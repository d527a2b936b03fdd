import { RESERVED_SLUGS } from '../reserved-slugs.js';

/** Everything that the product has to know of one field of a post. */
export interface PostFieldSpec {
  /**
   * `words` is a list; `html` is sanitized; `image` is the address of one of ours (`/media/...`) or on the web; `address`
   * is that of a page on the web; `point` is one of a picture, as `object-position` of CSS has it.
   */
  readonly kind: 'text' | 'html' | 'words' | 'image' | 'address' | 'point';
  /** Type of its column, which has the name of the field. A `varchar` is as long as its limit. */
  readonly column: 'varchar' | 'text' | 'text[]';
  /** Its name for people. */
  readonly label: string;
  /** In characters, of words for each; longer ones are refused. */
  readonly limit?: number;
  /** Its name in the message about the limit, where that is not the label. */
  readonly noun?: string;
  /** Values that are refused, whatever their capitals. */
  readonly reserved?: readonly string[];
  /** A post cannot be saved without it. Not for new fields: the last release writes posts without them. */
  readonly isRequired?: true;
  /** It is a name, which is found and compared: its characters are composed (NFC), however they were typed. */
  readonly isName?: true;
  /** Sentences or words in a row: what two people changed in different words of it is merged. */
  readonly isProse?: true;
  /** An empty text is not the same as null. */
  readonly isEmptyMeaningful?: true;
  /** Readers of a `list` and of a `page` have it, or `admin`istrators alone. Caches hear of what readers have. */
  readonly audience: 'list' | 'page' | 'admin';
  /** How much its words count for the search of readers, A most; they are not looked for if it is not given. */
  readonly searchWeight?: 'A' | 'B' | 'C';
  /** The list of administrators has it. */
  readonly isInAdminList?: true;
  /** The field of whose value it says something: they are merged as one, so that no image gets the words of another. */
  readonly describes?: 'image_url';
  /** False for what a duplicate must not share with its original. */
  readonly isCopied?: false;
  /** False for what stays here: exports, imports and the fingerprints of imports leave it out. */
  readonly isTransferred?: false;
  /** Its name in the front matter of exports, where that is not the name of the field. */
  readonly frontMatter?: string;
  /** For the documentation of the API. */
  readonly description?: string;
}

/**
 * The text of a post, field by field, in the order of the editor's form. Columns, rules, form, comparison of drafts,
 * presenters, API documentation, versions, duplicates, previews, exports, imports, fingerprints of imports, uses of
 * images, documents of the search and notifications of caches derive from this list (decision 40).
 *
 * A publication (`is_published`, `published_date`, the schedule) is not a part of the text and has no place here.
 */
export const postFields = {
  title: {
    kind: 'text',
    column: 'varchar',
    label: 'Title',
    isName: true,
    limit: 200,
    isRequired: true,
    isProse: true,
    searchWeight: 'A',
    audience: 'list',
    isInAdminList: true,
  },
  slug: {
    kind: 'text',
    column: 'varchar',
    label: 'Slug',
    isName: true,
    limit: 200,
    reserved: RESERVED_SLUGS,
    isRequired: true,
    audience: 'list',
    isInAdminList: true,
    isCopied: false,
  },
  excerpt: {
    kind: 'text',
    column: 'varchar',
    label: 'Excerpt',
    limit: 500,
    isProse: true,
    searchWeight: 'C',
    audience: 'list',
    isInAdminList: true,
  },
  content: {
    kind: 'html',
    column: 'text',
    label: 'Content',
    isRequired: true,
    audience: 'page',
    description: 'HTML; it is sanitized, and missing if nothing visible is left then',
  },
  author: {
    kind: 'text',
    column: 'varchar',
    label: 'Author',
    isName: true,
    limit: 100,
    noun: 'Author name',
    isRequired: true,
    audience: 'list',
    isInAdminList: true,
  },
  category: {
    kind: 'text',
    column: 'varchar',
    label: 'Category',
    isName: true,
    limit: 50,
    searchWeight: 'B',
    audience: 'list',
    isInAdminList: true,
  },
  tags: {
    kind: 'words',
    column: 'text[]',
    label: 'Tags',
    isName: true,
    // As many as an index takes in any script, and far more than a word has.
    limit: 200,
    noun: 'Tag',
    searchWeight: 'B',
    audience: 'list',
    isInAdminList: true,
  },
  image_url: {
    kind: 'image',
    column: 'text',
    label: 'Featured Image',
    audience: 'list',
    frontMatter: 'image',
  },
  image_alt: {
    kind: 'text',
    column: 'text',
    label: 'Description of the image',
    limit: 2000,
    noun: 'Alternative text',
    describes: 'image_url',
    isEmptyMeaningful: true,
    audience: 'list',
    description: 'empty for an image that is decoration; null when nobody has said yet',
  },
  image_caption: {
    kind: 'text',
    column: 'varchar',
    label: 'Caption',
    limit: 500,
    describes: 'image_url',
    audience: 'page',
    description: 'shown below the featured image',
  },
  image_focus: {
    kind: 'point',
    column: 'varchar',
    label: 'Focal point',
    limit: 20,
    describes: 'image_url',
    audience: 'list',
    description:
      'what stays in view of the featured image where it is cut, in whole percent from the left and from the top, such as ' +
      "'30% 70%'; null for the middle",
  },
  seo_title: {
    kind: 'text',
    column: 'varchar',
    label: 'Title in search results',
    isName: true,
    limit: 70,
    isProse: true,
    audience: 'page',
    description: 'for search engines and previews of links, instead of the title',
  },
  seo_description: {
    kind: 'text',
    column: 'varchar',
    label: 'Description in search results',
    limit: 200,
    isProse: true,
    audience: 'page',
    description: 'for search engines and previews of links, instead of the excerpt',
  },
  social_image: {
    kind: 'image',
    column: 'text',
    label: 'Image for sharing',
    audience: 'page',
    description: 'for previews of links, instead of the featured image',
  },
  canonical_url: {
    kind: 'address',
    column: 'varchar',
    label: 'Canonical address',
    limit: 2000,
    audience: 'page',
    isCopied: false,
    description: 'where the post was published first, for search engines; null when that is here',
  },
} as const satisfies Readonly<Record<string, PostFieldSpec>>;

type Specs = typeof postFields;

/** The name of a field, in the API as in the table. */
export type PostField = keyof Specs;

/** The fields whose entries have these properties. */
export type FieldWith<Properties> = {
  [Name in PostField]: Specs[Name] extends Properties ? Name : never;
}[PostField];

/** A value as it is stored and presented. */
export type FieldValue<Name extends PostField> = Specs[Name] extends { readonly kind: 'words' }
  ? readonly string[] | null
  : Specs[Name] extends { readonly isRequired: true }
    ? string
    : string | null;

/** Fields as they are stored and presented. */
export type PostTexts<Name extends PostField = PostField> = { readonly [Key in Name]: FieldValue<Key> };

/** Fields as the editor's form holds them: as they are typed, words with commas between them, null where that says something. */
export type FormTexts = {
  readonly [Name in PostField]: Specs[Name] extends { readonly isEmptyMeaningful: true } ? string | null : string;
};

/** The entry of a field, with all the properties that an entry may have. */
export function specOf(name: PostField): PostFieldSpec {
  return postFields[name];
}

/** The fields in the order of the form, or those of them that a condition chooses. */
export function fieldNames(condition: (spec: PostFieldSpec, name: PostField) => boolean = () => true): PostField[] {
  return (Object.keys(postFields) as PostField[]).filter((name) => condition(specOf(name), name));
}

/** An object with one value for each field. */
export function mapFields<T>(
  names: readonly (keyof T & PostField)[],
  valueOf: (name: keyof T & PostField, spec: PostFieldSpec) => unknown,
): T {
  const object: Partial<Record<keyof T, unknown>> = {};
  for (const name of names) object[name] = valueOf(name, specOf(name));
  return object as T;
}

/** The fields that readers have with every card of a list. */
export const listedFields = fieldNames(({ audience }) => audience === 'list') as FieldWith<{ audience: 'list' }>[];

/** The fields that readers have on the page of a post. */
export const readersFields = fieldNames(({ audience }) => audience !== 'admin') as FieldWith<{
  audience: 'list' | 'page';
}>[];

/** The fields that exports and imports take to another site. */
export const transferredFields = fieldNames(({ isTransferred }) => isTransferred !== false);

/** The fields that can show images: addresses of images, and HTML. */
export const showingFields = fieldNames(({ kind }) => kind === 'image' || kind === 'html') as FieldWith<{
  kind: 'image' | 'html';
}>[];

/** The fields that are the address of an image. */
export const imageFields = fieldNames(({ kind }) => kind === 'image') as FieldWith<{ kind: 'image' }>[];

/** The fields whose words the search of readers looks for, besides those of the content. */
export const searchedFields = fieldNames(({ searchWeight }) => searchWeight !== undefined) as FieldWith<{
  searchWeight: 'A' | 'B' | 'C';
}>[];

/** The fields in the list of administrators. */
export const adminListFields = fieldNames(({ isInAdminList }) => isInAdminList === true) as FieldWith<{
  isInAdminList: true;
}>[];

/** The form of a post before anybody has typed. */
export const emptyTexts: FormTexts = mapFields(fieldNames(), (_name, spec) => (spec.isEmptyMeaningful ? null : ''));
