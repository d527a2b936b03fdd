import type { RedirectInput } from './redirects.js';

/** The kinds of sources that posts come from. */
export const importFormats = ['markdown', 'wordpress', 'ghost', 'csv', 'json'] as const;

/** A kind of source. */
export type ImportFormat = (typeof importFormats)[number];

/** Outcomes for one item of a source; `skipped` items are no posts, which is no failure. */
export const importOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'refused'] as const;

export type ImportOutcome = (typeof importOutcomes)[number];

/** Reason for leaving out a page of WordPress or Ghost. */
export const PAGE_THERE = 'a page of the site, not a post';

/** Reason for leaving out what WordPress keeps beside posts and pages: products, events, settings of a theme. */
export function reasonOfType(type: string): string {
  return `of the type '${type}', not a post`;
}

/** Returns the type that a reason for leaving out names; undefined for other reasons. */
export function typeOfReason(reason: string): string | undefined {
  return /^of the type '(.*)', not a post$/s.exec(reason)?.[1];
}

/** Reasons for leaving out what nobody takes for a post, of which sites have thousands; reports name their number alone. */
export const FOLDED_REASONS = {
  file: 'a file of the media library, not a post',
  entry: 'an entry of a menu, not a post',
  version: 'an earlier version, not a post',
} as const;

/** Readers of an imported post. */
export type PostState = 'published' | 'scheduled' | 'draft' | 'trash';

/** One file of a folder, or one item of a file. */
export interface ImportItem {
  /** Path relative to the folder that was given, with `/` between its parts; of an item, the file with its title. */
  readonly file: string;
  /** Null when it could not be read far enough to know, and for items that are no posts. */
  readonly slug: string | null;
  readonly outcome: ImportOutcome;
  /** Why it was refused or skipped; empty otherwise. */
  readonly reasons: readonly string[];
  /** Things that an editor should check, although the post was imported; of one that was refused, what is not about it alone. */
  readonly warnings: readonly string[];
  /** Paths of the old site that lead to the post from now on; empty for posts that were not written. */
  readonly redirects: readonly string[];
  /** Lists of categories, tags and authors of the old site that lead to those here from now on; absent without any. */
  readonly lists?: readonly RedirectInput[];
  /** Readers of the post now; absent for items that were refused, skipped, or are no posts. */
  readonly state?: PostState;
  /** When a scheduled post is published: ISO 8601, UTC. */
  readonly publishAt?: string;
  /** Absent without any. */
  readonly comments?: ImportedComments;
}

/** The comments of an imported post. */
export interface ImportedComments {
  readonly came: number;
  readonly changed: number;
  /** No longer there at the source, and so no longer here. */
  readonly gone: number;
  /** Those that were not taken, by the reason. */
  readonly left: Readonly<Record<string, number>>;
}

/** The result of an import, or the prediction of a dry run. */
export interface ImportReport {
  readonly isDryRun: boolean;
  readonly items: readonly ImportItem[];
}

/** The part of a source that is taken, and what has another name here. */
export interface SourceChoices {
  /** Take posts in this language only. */
  readonly language?: string;
  /** Take posts of this moment or later only, and those that say no date. */
  readonly since?: Date;
  /** Take posts of these files or slugs only; a star is any text. */
  readonly only?: readonly string[];
  /** Put before, or behind, every slug; `:language` and `:folder` are those of the post. */
  readonly slugPrefix?: string;
  readonly slugSuffix?: string;
  /** Names of authors and tags there, and here; a tag that is empty here is left out. */
  readonly authors?: ReadonlyMap<string, string>;
  readonly tags?: ReadonlyMap<string, string>;
  /** Make the category of the folder that a post is in. */
  readonly categoryFrom?: 'folder';
}

/** How to import. */
export interface ImportOptions extends SourceChoices {
  /** Format of the source; detected when absent. */
  readonly format?: ImportFormat;
  /** Another folder in which images may be found. */
  readonly assetsFolder?: string;
  /** Name of the source; derived from the address of its site when absent. */
  readonly source?: string;
  /** Publish the posts that are published there, and plan those that are planned there. */
  readonly isPublishing?: boolean;
  /** Publish drafts too, and posts that only some people can read there, or that were unpublished here. */
  readonly isPublishingDrafts?: boolean;
  /** Take changes of more than half of a post's words. */
  readonly isAcceptingChanges?: boolean;
  /** Pattern of the addresses that posts had: `/:year/:month/:slug/`. That of the site's configuration when absent. */
  readonly permalink?: string;
  /** YAML or JSON file that says what becomes of the source's own tags. */
  readonly shortcodesFile?: string;
  /** Category of the pages of WordPress and Ghost, which are taken as posts; without it they are left out. */
  readonly pages?: string;
  /** Take the comments of WordPress as an archive below the posts. */
  readonly isTakingComments?: boolean;
  /** Predict the outcomes and write nothing. */
  readonly isDryRun?: boolean;
  /** Write over posts that were edited here since their import. */
  readonly isOverwriting?: boolean;
  /** Take images that are missing now away from posts that show them, and take posts of exports without them. */
  readonly isLeavingOutMissingImages?: boolean;
  /** False leaves out the images of other sites. */
  readonly isFetching?: boolean;
  /** Hosts from which images are fetched although their addresses are private. */
  readonly privateHosts?: readonly string[];
}
