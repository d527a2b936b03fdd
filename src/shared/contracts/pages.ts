import type { RefusedForm } from './contact-form.js';
import type { ArchivePage, BlogList, TermPage } from './blog-list.js';
import type { PageEdits, SiteEdits } from './page-texts/page-edits.js';
import type { PostDetail } from './posts.js';
import type { ListedKind } from '../term-addresses.js';
import type { SearchAnswer } from './search.js';
import type { Site } from './site.js';

/**
 * The data for page loaders. The server provides it from its services, the browser over HTTP; pages cannot tell the
 * difference.
 */
export interface PageServices {
  /** Every published post, newest first. */
  listPosts(): Promise<BlogList>;
  /**
   * A page of posts below the blog, or null if there is none at this address.
   * @param kind the archive, or the kind of a term
   * @param rest the parts of the address after it: year, month and part, or the name of the term and part
   */
  findListing(kind: 'archive' | ListedKind, rest: readonly string[]): Promise<ArchivePage | TermPage | null>;
  /** The published post of that slug, or null. */
  findPost(slug: string): Promise<PostDetail | null>;
  /** The posts that a search finds. The server searches before it loads the page. */
  search(query: string): Promise<SearchAnswer>;
  /** The post of a preview link, or null when the link is not good. */
  findPreview(token: string): Promise<PostDetail | null>;
}

/** Facts of a single answer beside its address; a page with any of them is never cached. */
export interface PageContext {
  readonly refusedForm?: RefusedForm;
  readonly search?: {
    readonly result: SearchAnswer;
    /** Why nothing was looked for; null when it was. */
    readonly problem: string | null;
  };
}

/** All that pages are made of beside their data, at one moment. */
export interface PageMoment {
  readonly site: Site;
  /** The texts of pages that are not as they came; none are if it is absent. */
  readonly edits?: SiteEdits;
}

/** Target of a rendering. It accepts everything at once, so that slow readers hold nothing up. */
export interface PageOutput {
  write(piece: Uint8Array | string): void;
  /** The page is complete. */
  end(): void;
  /** Ends the output early; further writes are ignored. */
  destroy(error: Error): void;
}

/** The files of the client bundle that a page needs, as addresses. */
export interface PageAssets {
  /** The classic script that runs before the first paint. */
  readonly firstScript: string;
  /** The modules that start the application, in their order. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The modules that those import, and the page's own with theirs. */
  readonly modulePreloads: readonly string[];
}

/**
 * Texts that stand in the document of public pages, so that it is painted without a second request. The content security
 * policy names their hashes.
 */
export interface InlineTexts {
  /** The public style sheet. */
  readonly style: string;
  /** The classic script that runs before the first paint. */
  readonly firstScript: string;
}

/** The state that the server puts into a page, as JSON, for the browser to hydrate from. */
export interface PageState {
  readonly site: Site;
  /** Its texts that are not as they came; absent where nothing on the site was edited. */
  readonly edits?: PageEdits;
  /** The year in which the page was rendered, for its footer. */
  readonly year: number;
  readonly assets: PageAssets;
  /** True when the page is of little use without scripts, which then start before it is painted. */
  readonly startsAtOnce: boolean;
  /** True when style sheet and first script stand in the document; otherwise they are files. */
  readonly isInlined: boolean;
  /** Loader results by route id. */
  readonly loaderData: Record<string, unknown>;
}
