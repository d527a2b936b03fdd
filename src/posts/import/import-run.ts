import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Actor } from '../../shared/actor.js';
import type { ImportItem, ImportOptions } from '../../shared/contracts/import-report.js';
import { PostChangedException, SlugTakenException } from '../post.errors.js';
import type { PostFields } from '../post-preparation.js';
import type { ImportedPost, PostsService, PostWrite } from '../posts.service.js';
import type { ImageResolver } from './image-resolver.js';
import type { ImageTaker, TakenImages } from './image-taker.js';
import { Claims, decide, settleComparison, settleRetry, type Decision } from './import-decision.js';
import { placeImages, type ImportDraft } from './import-draft.js';
import { ImportSourceError, RefusedError } from './import.errors.js';
import { mapConcurrently } from './map-concurrently.js';
import { prepareDraft } from './prepare-draft.js';
import { readAhead, readBatches } from './source-batches.js';
import { fingerprint } from './source-fingerprint.js';
import type { SourceItem } from './source-post.js';

/** Encoding an image keeps a core busy, fetching one mostly waits. */
const IMAGE_CONCURRENCY = 4;
const FILE_CONCURRENCY = 8;

interface Parts {
  readonly posts: PostsService;
  readonly resolver: ImageResolver;
  readonly taker: ImageTaker;
  /** Says where images are that are stored already, and stores none. */
  readonly inspector: ImageTaker;
  readonly actor: Actor;
  readonly options: ImportOptions;
}

/** A thing of the source on its way: read, then decided about, then written. */
interface Work {
  readonly item: SourceItem;
  /** Null for what is no post, and what was refused while it was read. */
  readonly draft: ImportDraft | null;
  decision: Decision | null;
  refusal: RefusedError | null;
  /** What became known of the post while its images were taken. */
  warnings: readonly string[];
}

type DraftWork = Work & { readonly draft: ImportDraft };

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
  async *import(items: AsyncIterable<SourceItem>, name: string): AsyncGenerator<ImportItem> {
    let isBegun = false;
    try {
      for await (const works of readAhead(readBatches(items), (batch) => this.prepareAll(batch))) {
        isBegun = true;
        await this.importAll(works);
        yield* works.map(toItem);
      }
    } catch (error) {
      if (!(error instanceof ImportSourceError) || !isBegun) throw error;
      yield { file: name, slug: null, outcome: 'refused', reasons: [error.message], warnings: [] };
    }
  }

  private get isDryRun(): boolean {
    return this.parts.options.isDryRun === true;
  }

  private async prepareAll(items: readonly SourceItem[]): Promise<Work[]> {
    return await mapConcurrently(items, FILE_CONCURRENCY, async (item) => {
      const work: Work = { item, draft: null, decision: null, refusal: null, warnings: [] };
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
      return write === null ? [] : [{ work, write }];
    });
    for (const { work, write } of writes.flat()) {
      if (work.decision?.kind === 'update' && write.fields !== null) {
        this.claims.noteMove(work.decision.target, write.fields.slug);
      }
    }
    if (!this.isDryRun) await this.saveAll(writes.flat());
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
      if (work.refusal === null) this.claims.claim(work.draft);
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
    work.warnings = taken.warnings;
    if (final.kind !== 'create' && final.kind !== 'update') return null;
    return this.write(draft, final, taken);
  }

  private async takeWith(taker: ImageTaker, work: DraftWork): Promise<TakenImages | null> {
    return await orRefused(work, () => taker.take(work.draft.images));
  }

  private write(draft: ImportDraft, decision: Writing, taken: TakenImages): PostWrite {
    const target = decision.kind === 'update' ? decision.target : null;
    const fields = toFields(draft, target, taken);
    return {
      target,
      ...(decision.kind === 'create' ? toBirth(draft, decision.id) : {}),
      fields,
      source: { key: draft.post.sourceKey, fingerprint: fingerprint(draft, fields, taken.unfetched) },
      // An import never takes a post from the public's eyes.
      ...(this.isToBePublished(draft) ? { isPublished: true } : {}),
    };
  }

  private isToBePublished({ post }: ImportDraft): boolean {
    return this.parts.options.isPublishing === true || post.isPublished === true;
  }

  /** Writes everything at once; if that fails, one by one, so that each failure stays with its post. */
  private async saveAll(writes: readonly { work: Work; write: PostWrite }[]): Promise<void> {
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

function toBirth({ post }: ImportDraft, id: string | undefined): Partial<PostWrite> {
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

function toItem({ item, draft, decision, refusal, warnings: late }: Work): ImportItem {
  const { file } = item;
  if ('skipped' in item) return { file, slug: null, outcome: 'skipped', reasons: [item.skipped], warnings: [] };
  const slug = draft?.fields.slug ?? refusal?.slug ?? null;
  const warnings = [...(draft?.warnings ?? refusal?.warnings ?? []), ...late];
  if (refusal !== null) return { file, slug, outcome: 'refused', reasons: refusal.reasons, warnings };
  const isWritten = decision?.kind !== 'none';
  const outcome = decision?.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings };
}
