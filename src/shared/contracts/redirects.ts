/** The recorder of a redirect: an import that knew a post's old address, a term that got another name, or an operator. */
export type RedirectOrigin = 'import' | 'rename' | 'operator';

/** An old address and where it leads. */
export interface RedirectInput {
  /** A path of this site, from its root; of an absolute address the path is taken. */
  readonly path: string;
  /** A path of this site, or an http or https address. */
  readonly target: string;
}

/** A redirect as it is kept: both addresses in their one spelling. */
export interface Redirect extends RedirectInput {
  readonly origin: RedirectOrigin;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** Outcome for one redirect; 'needless' when the path is its own target, or an operator has redirected it. */
export type RedirectOutcome = 'created' | 'changed' | 'unchanged' | 'needless' | 'refused';

/** One redirect that was to be recorded. The addresses are in their one spelling, or as given where it was refused. */
export interface RedirectResult extends RedirectInput {
  readonly outcome: RedirectOutcome;
  /** Why it was refused or is needless; null otherwise. */
  readonly reason: string | null;
}

/** A redirect that was recorded for an imported post, and what its path led to before. */
export interface KeptRedirect {
  readonly path: string;
  readonly target: string;
  readonly former: { readonly target: string; readonly origin: RedirectOrigin } | null;
}

/** Files of redirects: `hosts` is `_redirects` of static hosts, with lines like `/old /new 301`. */
export type RedirectFormat = 'csv' | 'json' | 'hosts';

/** One redirect of a file. */
export interface RedirectImportItem extends RedirectResult {
  /** Place in the file, like 'line 3'. */
  readonly place: string;
}

/** The result of importing a file of redirects, or the prediction of a dry run. */
export interface RedirectImportReport {
  readonly isDryRun: boolean;
  readonly items: readonly RedirectImportItem[];
}
