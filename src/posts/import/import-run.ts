import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Actor } from '../../shared/actor.js';
import type { ImportItem, ImportOptions } from '../../shared/contracts/import-report.js';
import { paths } from '../../shared/paths.js';
import type { RedirectsService } from '../../redirects/redirects.service.js';
import type { Clock } from '../../shared/clock.js';
import { PostChangedException, SlugTakenException } from '../post.errors.js';
import type { PostFields } from '../post-preparation.js';
import type { ImportedPost, PostsService, PostWrite } from '../posts.service.js';
import type { ImageResolver } from './images/image-resolver.js';
import type { ImageTaker, TakenImages } from './images/image-taker.js';
import { Claims, decide, settleComparison, settleRetry, type Decision } from './import-decision.js';
import { placeImages, type ImportDraft } from './import-draft.js';
import { ImportSourceError, RefusedError } from './import.errors.js';
import { mapConcurrently } from './map-concurrently.js';
import { prepareDraft, publicationOf } from './prepare-draft.js';
import { readAhead, readBatches, type LocatedItem } from './source-batches.js';
import { fingerprint } from './source-fingerprint.js';
import type { PostSource, SourceItem, SourcePost } from './source-post.js';

/** Encoding an image keeps a core busy, fetching one mostly waits. */
const IMAGE_CONCURRENCY = 4;
const FILE_CONCURRENCY = 8;

interface Parts {
  readonly posts: PostsService;
  readonly redirects: RedirectsService;
  readonly resolver: ImageResolver;
  readonly taker: ImageTaker;
  /** Says where images are that are stored already, and stores none. */
  readonly inspector: ImageTaker;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly options: ImportOptions;
  /** Told, for each post that is done with, how much of the source had been read with it. */
  readonly handleProgress: (position: number) => void;
}

/** A thing of the source on its way: read, then decided about, then written. */
interface Work {
  readonly item: SourceItem;
  /** How much of the source had been read with it. */
  readonly position: number;
  /** Null for what is no post, and what was refused while it was read. */
  readonly draft: ImportDraft | null;
  decision: Decision | null;
  refusal: RefusedError | null;
  /** What became known of the post after it was read. */
  warnings: readonly string[];
  /** Old addresses that no item before this one has. */
  oldPaths: readonly string[];
  redirects: readonly string[];
  /** Of a post that is created, that readers do not see it yet. */
  isDraft: boolean;
}

type DraftWork = Work & { readonly draft: ImportDraft };

interface Ready {
  readonly work: DraftWork;
  readonly write: PostWrite;
}

type Writing = Extract<Decision, { kind: 'create' | 'update' }>;

/** One import from its first item to its last. */
export class ImportRun {
  private readonly claims = new Claims();

  constructor(private readonly parts: Parts) {}

  /**
   * Imports in groups, each in one transaction; an item is given when it is done with.
   * @param name what a source that breaks off is called in the report
   * @throws ImportSourceError when nothing at all could be read
   */
  async *import(source: PostSource, name: string): AsyncGenerator<ImportItem> {
    let isBegun = false;
    try {
      for await (const works of readAhead(readBatches(source), (batch) => this.prepareAll(batch))) {
        isBegun = true;
        await this.importAll(works);
        yield* works.map(toItem);
      }
    } catch (error) {
      if (!(error instanceof ImportSourceError) || !isBegun) throw error;
      yield { file: name, slug: null, outcome: 'refused', reasons: [error.message], warnings: [], redirects: [] };
    }
  }

  private get isDryRun(): boolean {
    return this.parts.options.isDryRun === true;
  }

  private async prepareAll(items: readonly LocatedItem[]): Promise<Work[]> {
    return await mapConcurrently(items, FILE_CONCURRENCY, async ({ item, position }) => {
      const work: Work = {
        item,
        position,
        draft: null,
        decision: null,
        refusal: null,
        warnings: [],
        oldPaths: [],
        redirects: [],
        isDraft: false,
      };
      if ('skipped' in item) return work;
      if ('refusal' in item) return { ...work, refusal: item.refusal };
      const draft = await orRefused(work, () => prepareDraft(item, this.parts.resolver));
      return { ...work, draft };
    });
  }

  private async importAll(works: readonly Work[]): Promise<void> {
    const drafts = works.filter((work): work is DraftWork => work.draft !== null);
    await this.decideAll(drafts);
    const writes = await mapConcurrently(drafts, IMAGE_CONCURRENCY, async (work) => {
      const write = await this.toWrite(work);
      this.parts.handleProgress(work.position);
      return write === null ? [] : [{ work, write }];
    });
    const ready = writes.flat();
    for (const { work, write } of ready) {
      const { decision } = work;
      if (decision?.kind === 'update' && write.fields) this.claims.noteMove(decision.target, write.fields.slug);
    }
    await this.settleRedirects(ready);
    if (!this.isDryRun) await this.saveAll(ready);
    this.parts.handleProgress(works.at(-1)?.position ?? 0);
  }

  /** Finds out which old addresses will lead to the posts, and notes why others will not. */
  private async settleRedirects(writes: readonly Ready[]): Promise<void> {
    const inputs = writes.flatMap(({ work, write }) =>
      (write.oldPaths ?? []).map((path) => ({ work, path, target: paths.blog(work.draft.fields.slug) })),
    );
    if (inputs.length === 0) return;
    const results = await this.parts.redirects.predict(inputs);
    for (const [index, { path, target, reason }] of results.entries()) {
      const work = inputs[index]?.work;
      if (work === undefined || path === target) continue;
      if (reason === null) work.redirects = [...work.redirects, path];
      else work.warnings = [...work.warnings, `the old address ${path} does not lead here: ${reason}`];
    }
  }

  private async decideAll(works: readonly DraftWork[]): Promise<void> {
    const { posts: service, actor, options } = this.parts;
    const drafts = works.map(({ draft }) => draft);
    const posts = await service.findForImportIncludingDrafts(actor, {
      sourceKeys: drafts.map(({ post }) => post.sourceKey),
      slugs: drafts.map(({ fields }) => fields.slug),
      ids: drafts.flatMap(({ post }) => post.id ?? []),
    });
    for (const work of works) {
      conclude(work, decide(work.draft, { posts, claims: this.claims }, options));
      if (work.refusal !== null) continue;
      this.claims.claim(work.draft);
      const { oldPaths, warnings } = this.claims.claimPaths(work.draft.post);
      work.oldPaths = oldPaths;
      work.warnings = warnings;
    }
  }

  /** What to write for a draft, its images stored; null when there is nothing to write. */
  private async toWrite(work: DraftWork): Promise<PostWrite | null> {
    const { draft } = work;
    if (work.decision?.kind === 'compare') {
      const found = await this.takeWith(this.parts.inspector, work);
      if (found === null) return null;
      const fields = toFields(draft, work.decision.target, found);
      conclude(work, settleComparison(work.decision, fields, this.parts.options));
    }
    const { decision } = work;
    if (decision === null || decision.kind === 'none' || decision.kind === 'refuse') return null;
    if (decision.kind === 'publish') return { target: decision.target, fields: null, isPublished: true };
    const taken = await this.takeWith(this.parts.taker, work);
    if (taken === null) return null;
    const final = decision.kind === 'retry' ? settleRetry(decision, draft, taken.unfetched) : decision;
    conclude(work, final);
    work.warnings = [...work.warnings, ...taken.warnings];
    if (final.kind !== 'create' && final.kind !== 'update') return null;
    const write = this.write(work, final, taken);
    work.isDraft = final.kind === 'create' && write.isPublished !== true;
    return write;
  }

  private async takeWith(taker: ImageTaker, work: DraftWork): Promise<TakenImages | null> {
    return await orRefused(work, () => taker.take(work.draft.images));
  }

  private write({ draft, oldPaths }: DraftWork, decision: Writing, taken: TakenImages): PostWrite {
    const { post } = draft;
    const target = decision.kind === 'update' ? decision.target : null;
    const fields = toFields(draft, target, taken);
    const { isPublished, scheduledAt } = publicationOf(post, this.parts.clock.now());
    const isToBePublished = isPublished || this.parts.options.isPublishing === true;
    return {
      target,
      ...(decision.kind === 'create' ? toBirth(post, decision.id) : {}),
      ...(post.updatedAt === undefined ? {} : { updatedAt: post.updatedAt }),
      fields,
      source: { key: post.sourceKey, fingerprint: fingerprint(draft, fields, taken.unfetched) },
      // An import never takes a post from the public's eyes.
      ...(isToBePublished ? { isPublished: true } : {}),
      ...(scheduledAt === undefined || isToBePublished ? {} : { scheduledAt }),
      oldPaths,
    };
  }

  /** Writes everything at once; if that fails, one by one, so that each failure stays with its post. */
  private async saveAll(writes: readonly Ready[]): Promise<void> {
    const { posts, actor } = this.parts;
    try {
      await posts.savePosts(
        actor,
        writes.map(({ write }) => write),
      );
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    for (const { work, write } of writes) {
      try {
        await posts.savePosts(actor, [write]);
      } catch (error) {
        if (!isConflict(error)) throw error;
        const reason = 'somebody changed this post, or took its slug, while the import ran; run it again';
        work.refusal = new RefusedError([reason]);
      }
    }
  }
}

/** The fields with the addresses of their images. A post keeps the date that it was given here. */
function toFields(draft: ImportDraft, target: ImportedPost | null, { addresses }: TakenImages): PostFields {
  const keptDate = target?.isDateChosen === true && draft.post.isExact !== true ? target.publishedDate : null;
  const fields = placeImages(draft.fields, addresses);
  return { ...fields, publishedDate: fields.publishedDate ?? keptDate };
}

function toBirth(post: SourcePost, id: string | undefined): Partial<PostWrite> {
  return { ...(id === undefined ? {} : { id }), ...(post.createdAt ? { createdAt: post.createdAt } : {}) };
}

function conclude(work: Work, decision: Decision): void {
  work.decision = decision;
  if (decision.kind === 'refuse') work.refusal = new RefusedError([decision.reason]);
}

async function orRefused<T>(work: Work, task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    work.refusal = error;
    return null;
  }
}

function isConflict(error: unknown): boolean {
  const kinds = [UniqueConstraintViolationException, PostChangedException, SlugTakenException];
  return kinds.some((kind) => error instanceof kind);
}

function toItem({ item, draft, decision, refusal, warnings: late, redirects, isDraft }: Work): ImportItem {
  const { file } = item;
  const nothing = { warnings: [], redirects: [] };
  if ('skipped' in item) return { file, slug: null, outcome: 'skipped', reasons: [item.skipped], ...nothing };
  const slug = draft?.fields.slug ?? refusal?.slug ?? null;
  const warnings = [...(draft?.warnings ?? refusal?.warnings ?? []), ...late];
  if (refusal !== null) return { file, slug, outcome: 'refused', reasons: refusal.reasons, warnings, redirects: [] };
  const isWritten = decision?.kind !== 'none';
  const outcome = decision?.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings, redirects, ...(isDraft ? { isDraft } : {}) };
}
