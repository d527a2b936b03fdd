import type { BroughtComment } from '../posts/comments/comments.service.js';
import type { ListedKind } from '../shared/term-addresses.js';
import type { ImportFormat } from '../shared/contracts/import-report.js';
import {
  mapFields,
  transferredFields,
  type PostField,
  type PostFieldSpec,
  type PostTexts,
} from '../shared/contracts/post-fields.js';
import type { RefusedError } from './import.errors.js';
import type { ShortcodeRules } from './shortcode-rules.js';

/** The kinds of sources that posts come from. */
export type SourceFormat = ImportFormat;

/** Settings of this site that readers need. */
export interface SourceSettings {
  /** Author of posts that name nobody. */
  readonly author: string;
  /** IANA name: the zone of times that name none. */
  readonly timeZone: string;
  /** Pattern of the addresses that posts had, in the words of generators; undefined for that of their configuration. */
  readonly permalink?: string;
  /** Rules for the source's own tags. */
  readonly shortcodes?: ShortcodeRules;
  /** Category of the pages of WordPress and Ghost, which are taken as posts; undefined leaves them out. */
  readonly pages?: string;
  /** True if comments are wanted. */
  readonly isTakingComments?: boolean;
  /** Chooses slugs as the operator wants them, for links between posts. */
  readonly slugOf?: (post: Pick<SourcePost, 'slug' | 'file' | 'folder' | 'language'>) => string;
}

/** A list of posts of the old site: that of a category, a tag or an author. */
export interface OldList {
  /** Path from the root of the old site. */
  readonly path: string;
  readonly kind: ListedKind;
  /** Name of the category, tag or author, as the post has it. */
  readonly name: string;
}

/** An image as a post names it. */
export interface SourceImage {
  /** An address or the path of a file, as written; absolute addresses are fetched. */
  readonly address: string;
  /** Null when the source says nothing. */
  readonly alt: string | null;
}

/** Fields that sources name in ways of their own: their readers find them, each as a property of {@link SourcePost}. */
const FOUND_BY_READERS = [
  'title',
  'slug',
  'excerpt',
  'content',
  'author',
  'category',
  'tags',
  'image_url',
  'image_alt',
] as const satisfies readonly PostField[];

/** A field that sources have under our name for it, or not at all. */
export type NamedField = Exclude<(typeof transferredFields)[number], (typeof FOUND_BY_READERS)[number]>;

/** The values of such fields. */
export type NamedTexts = PostTexts<NamedField>;

/** The fields that sources have under our names for them: exports of ours, tables, front matter. */
export const namedFields = transferredFields.filter(
  (name): name is NamedField => !FOUND_BY_READERS.some((found) => found === name),
);

/** Reads such fields of a source; null for those that it does not have. */
export function readNamed(valueOf: (name: NamedField, spec: PostFieldSpec) => unknown): Pick<SourcePost, 'named'> {
  const named = mapFields<NamedTexts>(namedFields, valueOf);
  return Object.values(named).some((value) => value !== null) ? { named } : {};
}

/** The terms of a page that is taken as a post: the category of pages, and the one that it has there as a tag. */
export function toPageTerms(
  { category, tags }: Pick<SourcePost, 'category' | 'tags'>,
  pages: string,
): Pick<SourcePost, 'category' | 'tags'> {
  const all = [...new Set([...(category === null ? [] : [category]), ...(tags ?? [])])];
  return { category: pages, tags: all.length > 0 ? all : null };
}

/** Said of a published post of which the export tells no date. */
export const DATED_TODAY = 'no date in the export: dated today';

/** Reason for withholding a post that only its authors have seen. */
export const DRAFT_THERE = 'is a draft there';

/** The identity of a source. */
export interface SourceIdentity {
  /** The address of the site, as `toSourceName` writes it; null when the source does not say. */
  readonly name: string | null;
  /** True when only the name tells posts from those of other sources. */
  readonly isNeeded: boolean;
  /** A hint for the operator when there is no name: 'hugo.toml has the address that comes with Hugo'. */
  readonly hint?: string;
}

/** The comments of a post that everybody could read there, and how many others there are, by the reason why they are left. */
export interface SourceComments {
  readonly taken: readonly BroughtComment[];
  readonly left: Readonly<Record<string, number>>;
}

/** A post as its source tells it: read, but neither checked nor sanitized. */
export interface SourcePost {
  /** For reports: the path of the file, or the file with the item in it ('export.xml: My first post'). */
  readonly file: string;
  /** Names the post among those of its source for ever, whatever it contains: the path of its file, its number. */
  readonly itemKey: string;
  /** True if no other source can have the same: the ids of this site's own rows and exports. It is the whole key then. */
  readonly isUniqueKey?: true;
  /** Keys that releases gave it that had no names for sources (decision 31). */
  readonly formerKeys?: readonly string[];
  /** The id of the row, of sources that are a copy of this site's own table; kept if it is free. */
  readonly id?: string;
  readonly title: string;
  /** Already slugified; empty only if the title gives none either. */
  readonly slug: string;
  /** As the source writes it: 'de', 'pt-BR'; undefined when it does not say. */
  readonly language?: string;
  readonly excerpt: string | null;
  readonly author: string;
  readonly category: string | null;
  readonly tags: readonly string[] | null;
  /** Fields that the source has under our names for them. */
  readonly named?: NamedTexts;
  /** The featured image. */
  readonly image: SourceImage | null;
  /** When it was, or is to be, published; undefined when the source does not say. */
  readonly date: Date | undefined;
  /** Undefined lets the import take its own time. */
  readonly createdAt?: Date;
  /** When readers last saw a change; undefined lets the import take its own time. */
  readonly updatedAt?: Date;
  /**
   * When it was saved last, of sources that note each time: like {@link updatedAt}, but no part of what the post is made of. A post
   * that was saved there without a change is the same.
   */
  readonly savedAt?: Date;
  /** Publication at the source; undefined when it is not mentioned, which for a post of a site means published. */
  readonly isPublished: boolean | undefined;
  /** Why not everybody can read it there, if more is known than that: 'is private there'. */
  readonly withheld?: string;
  /** When it is to be published, of posts that the source had planned. */
  readonly scheduledAt?: Date;
  /** Unchecked HTML, images with the addresses that the source has. */
  readonly html: string;
  /** Folder of the post relative to the root of the source, in which relative images are looked for first. */
  readonly folder: string;
  /** The address of the post where it was, to which relative addresses of images are relative; null when unknown. */
  readonly baseUrl: string | null;
  /** The address at which its site begins, whose files are in the folder; absent where that is not known. */
  readonly siteUrl?: string;
  /** Paths, from the root of the old site and percent-encoded as browsers send them, at which it could be read. */
  readonly oldPaths: readonly string[];
  /** The lists of the old site in which it stood; absent for sources that do not say. */
  readonly oldLists?: readonly OldList[];
  /** Things that an editor should check, although the post is imported. */
  readonly warnings: readonly string[];
  /** Said once of the whole file, with the first of its items, whatever becomes of that. */
  readonly fileNotes?: readonly string[];
  /** The words of readers below it; absent for sources that have none. */
  readonly comments?: SourceComments;
  /**
   * True of an export of this product (decision 27), which is taken to the letter: a date that is left out was not
   * chosen, images elsewhere on the web stay there, and a post of the same id and fields is the same post, wherever it
   * was written.
   */
  readonly isExact?: true;
}

/** An item that is no post. */
export interface SkippedItem {
  readonly file: string;
  /** Why, in words for the report: 'a page, not a post'. */
  readonly skipped: string;
  /** Said once of the whole file, with the first of its items, whatever becomes of that. */
  readonly fileNotes?: readonly string[];
}

/** An item that could not be read. */
export interface UnreadableItem {
  readonly file: string;
  readonly refusal: RefusedError;
}

/** One thing that a source holds, in the order of the source. */
export type SourceItem = SourcePost | SkippedItem | UnreadableItem;

/** A place that posts are imported from, opened. */
export interface PostSource {
  readonly format: SourceFormat;
  /** Absolute path of the folder in which images are looked for first, without symbolic links. */
  readonly root: string;
  /** Bytes or files to read: what {@link read} reports its progress in. */
  readonly total: number;
  /** Finds out which source it is. */
  identify(): Promise<SourceIdentity>;
  /**
   * Reads the items one after another, holding only a few of them in memory.
   * @param handleProgress told how much of `total` has been read
   * @param sourceName what the operator calls the source, which may be the address that it does not say itself
   * @throws ImportSourceError when the source breaks off or is nothing that can be read further
   */
  read(handleProgress: (done: number) => void, sourceName?: string | null): AsyncIterable<SourceItem>;
}
