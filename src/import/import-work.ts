import type { CommentsService } from '../posts/comments/comments.service.js';
import type { RedirectsService } from '../redirects/redirects.service.js';
import type { Actor } from '../shared/actor.js';
import type { Clock } from '../shared/clock.js';
import type { ImportedComments, ImportItem, ImportOptions } from '../shared/contracts/import-report.js';
import type { RedirectInput } from '../shared/contracts/redirects.js';
import type { ImageResolver } from './images/image-resolver.js';
import type { ImageTaker } from './images/image-taker.js';
import type { LostImageTaker } from './images/lost-images.js';
import type { Decision, LargeChange } from './import-decision.js';
import type { ImportDraft } from './import-draft.js';
import { RefusedError } from './import.errors.js';
import type { ImportedPostsService, PostWrite } from './imported-posts.service.js';
import type { Publication } from './publication.js';
import type { LocatedItem } from './source-batches.js';
import type { SourceItem } from './source-post.js';

/** The parts of which an import is made. */
export interface ImportParts {
  readonly posts: ImportedPostsService;
  readonly comments: Pick<CommentsService, 'bring'>;
  readonly redirects: RedirectsService;
  readonly resolver: ImageResolver;
  readonly taker: ImageTaker;
  /** Says where images are that are stored already, and stores none. */
  readonly inspector: ImageTaker;
  readonly lostImages: LostImageTaker;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly options: ImportOptions;
  /** Name of the source; null if its posts can be told from others without it. */
  readonly sourceName: string | null;
  /** The number of the run that is recorded; null for a dry run. */
  readonly runId: number | null;
  /** Told, for each post that is done with, how much of the source had been read with it. */
  readonly handleProgress: (position: number) => void;
  /** Asks whether posts may lose most of their words; undefined where nobody can be asked. */
  readonly confirmChanges: ((changes: readonly LargeChange[]) => Promise<boolean>) | undefined;
}

/** A thing of the source on its way: read, then decided about, then written. */
export interface Work {
  readonly item: SourceItem;
  /** How much of the source had been read with it. */
  readonly position: number;
  /** Null for what is no post, and what was refused while it was read. */
  readonly draft: ImportDraft | null;
  decision: Decision | null;
  refusal: RefusedError | null;
  /** Facts found after the post was read. */
  warnings: readonly string[];
  /** Things done although nothing is written to the post. */
  repairs: readonly string[];
  /** Old addresses that no item before this one has. */
  oldPaths: readonly string[];
  redirects: readonly string[];
  /** Lists of the old site that lead to those here from now on. */
  lists: readonly RedirectInput[];
  publication: Publication | null;
  isWritten: boolean;
  comments: ImportedComments | null;
}

export type DraftWork = Work & { readonly draft: ImportDraft };

export interface Ready {
  readonly work: DraftWork;
  readonly write: PostWrite;
}

/** Begins the work on a thing that was read. */
export function beginWork({ item, position }: LocatedItem): Work {
  return {
    item,
    position,
    draft: null,
    decision: null,
    refusal: 'refusal' in item ? item.refusal : null,
    warnings: [],
    repairs: [],
    oldPaths: [],
    redirects: [],
    lists: [],
    publication: null,
    isWritten: false,
    comments: null,
  };
}

/** Notes a decision. */
export function conclude(work: Work, decision: Decision): void {
  work.decision = decision;
  if (decision.kind === 'refuse') work.refusal = new RefusedError([decision.reason]);
}

/** Returns what the task does; null where it refuses the post, which is noted. */
export async function orRefused<T>(work: Work, task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    work.refusal = error;
    return null;
  }
}

/** Reports what became of it. What would have been left out or changed is said of posts alone that came. */
export function toItem({
  item,
  draft,
  decision,
  refusal,
  warnings: late,
  repairs,
  redirects,
  lists,
  publication,
  isWritten,
  comments,
}: Work): ImportItem {
  const { file } = item;
  const fileNotes = 'refusal' in item ? item.refusal.fileNotes : (item.fileNotes ?? []);
  if ('skipped' in item) {
    return { file, slug: null, outcome: 'skipped', reasons: [item.skipped], warnings: fileNotes, redirects: [] };
  }
  const slug = draft?.fields.slug ?? refusal?.slug ?? null;
  const of = comments === null ? {} : { comments };
  const listed = lists.length === 0 ? {} : { lists };
  if (refusal !== null) {
    return {
      file,
      slug,
      outcome: 'refused',
      reasons: refusal.reasons,
      warnings: [...repairs, ...fileNotes],
      redirects: [],
      ...of,
    };
  }
  const warnings = [...(draft?.warnings ?? []), ...(publication?.notes ?? []), ...late, ...repairs, ...fileNotes];
  const outcome = decision?.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings, redirects, ...listed, ...stateOf(publication), ...of };
}

function stateOf(publication: Publication | null): Pick<ImportItem, 'state' | 'publishAt'> {
  if (publication === null) return {};
  const { state, publishAt } = publication;
  return { state, ...(publishAt === undefined ? {} : { publishAt: publishAt.toISOString() }) };
}
