/** How posts are written. */
export const exportFormats = ['markdown', 'json', 'wxr', 'ghost'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/**
 * Outcome for one post: `incomplete` when something that belongs to it is missing, `skipped` when it was never saved,
 * so that there is nothing to write yet.
 */
export type ExportOutcome = 'exported' | 'incomplete' | 'skipped';

/** One post of an export. */
export interface ExportItem {
  readonly id: string;
  readonly slug: string;
  /** Relative to the destination, with `/`; null if none was written. */
  readonly file: string | null;
  readonly outcome: ExportOutcome;
  /** The missing things, or the reason for skipping; empty for posts that were exported. */
  readonly reasons: readonly string[];
  /** Facts worth knowing although nothing is wrong, such as unsaved edits. */
  readonly notes: readonly string[];
}

/** Something that a format has no place for. */
export interface ExportLoss {
  /** In words that continue 'not in the export:'. */
  readonly what: string;
  /** Posts that have it. */
  readonly posts: number;
}

/** The result of an export. */
export interface ExportReport {
  readonly format: ExportFormat;
  /** Absolute path of the folder or file. */
  readonly destination: string;
  readonly items: readonly ExportItem[];
  /** Image files that were written. */
  readonly images: number;
  /** Each kind once, the most frequent first; each post names its own. */
  readonly losses: readonly ExportLoss[];
  /** Slugs that were named and that no post has, but for those in the trash. */
  readonly unknown: readonly string[];
}

/** The posts to export; by default everything but the trash. */
export interface ExportOptions {
  /** Told by the destination's name if left out: JSON for one that ends in `.json`. */
  readonly format?: ExportFormat;
  readonly isPublishedOnly?: boolean;
  /** Only posts that have all of these. */
  readonly tags?: readonly string[];
  readonly category?: string;
  /** Only these posts. */
  readonly slugs?: readonly string[];
  /** Replace an earlier export, and nothing else. */
  readonly isReplacing?: boolean;
}
