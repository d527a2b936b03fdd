/** How posts are written. */
export const exportFormats = ['markdown', 'json'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/**
 * What became of one post: `incomplete` ones were written without something that belongs to them, `skipped` ones were
 * never saved, so that there is nothing to write yet.
 */
export type ExportOutcome = 'exported' | 'incomplete' | 'skipped';

/** One post of an export. */
export interface ExportItem {
  readonly id: string;
  readonly slug: string;
  /** Relative to the destination, with `/`; null if none was written. */
  readonly file: string | null;
  readonly outcome: ExportOutcome;
  /** What is missing, or why it was skipped; empty for posts that were exported. */
  readonly reasons: readonly string[];
  /** What one should know although nothing is wrong: edits that nobody saved, for one. */
  readonly notes: readonly string[];
}

/** What an export wrote. */
export interface ExportReport {
  readonly format: ExportFormat;
  /** Absolute path of the folder or file. */
  readonly destination: string;
  readonly items: readonly ExportItem[];
  /** Image files that were written. */
  readonly images: number;
}

/** What to export; everything but the trash unless something is said here. */
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
