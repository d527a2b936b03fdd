/** What became of one file. */
export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'refused';

/** One file of an import. */
export interface ImportItem {
  /** Path relative to the folder that was given, with `/` between its parts. */
  readonly file: string;
  /** Null when the file could not be read far enough to know. */
  readonly slug: string | null;
  readonly outcome: ImportOutcome;
  /** Why it was refused; empty otherwise. */
  readonly reasons: readonly string[];
  /** What an editor should look at, although the post was taken. */
  readonly warnings: readonly string[];
}

/** What an import did or, in a dry run, would do. */
export interface ImportReport {
  readonly isDryRun: boolean;
  readonly items: readonly ImportItem[];
}

/** How to import. */
export interface ImportOptions {
  /** Another folder in which images may be found. */
  readonly assetsFolder?: string;
  /** Publish every post that is taken. */
  readonly isPublishing?: boolean;
  /** Only say what would happen; writes nothing at all. */
  readonly isDryRun?: boolean;
  /** Write over posts that were edited here since their import. */
  readonly isOverwriting?: boolean;
  /** Take posts whose images are missing without these images. */
  readonly isLeavingOutMissingImages?: boolean;
}
