import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Actor } from '../../shared/actor.js';
import type { ImportItem, ImportOptions } from '../../shared/contracts/import-report.js';
import type { UploadsService } from '../../uploads/uploads.service.js';
import { PostChangedException, SlugTakenException } from '../post.errors.js';
import type { PostsService, PostWrite } from '../posts.service.js';
import { decide, fingerprint, type Decision } from './import-decision.js';
import { placeImages, type ImportDraft } from './import-draft.js';
import { RefusedError } from './import.errors.js';
import { mapConcurrently } from './map-concurrently.js';
import type { MarkdownReader } from './markdown-reader.js';
import { takeImages } from './post-images.js';

/** Posts that are read, decided and written together: enough to be fast, few enough to fit in memory. */
const BATCH_SIZE = 50;
/** Encoding an image keeps a core busy, reading a post mostly waits. */
const IMAGE_CONCURRENCY = 2;
const READ_CONCURRENCY = 8;

interface Parts {
  readonly posts: PostsService;
  readonly uploads: UploadsService;
  readonly reader: MarkdownReader;
  readonly actor: Actor;
  readonly options: ImportOptions;
  /** Called once for every file that is done with. */
  readonly handleFile: () => void;
}

/** A draft and what was decided about it. */
interface Plan {
  readonly draft: ImportDraft;
  readonly decision: Decision;
}

/** One import from its first file to its last. */
export class ImportRun {
  private readonly claimedSlugs = new Map<string, string>();
  private readonly refusals = new Map<string, RefusedError>();

  constructor(private readonly parts: Parts) {}

  async import(files: readonly string[]): Promise<ImportItem[]> {
    const items: ImportItem[] = [];
    const batches = Array.from({ length: Math.ceil(files.length / BATCH_SIZE) }, (_, index) =>
      files.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    );
    let reading = this.readAll(batches[0] ?? []);
    for (const [index, batch] of batches.entries()) {
      const drafts = await reading;
      // Reading goes on while the database writes. Should writing fail, nobody will ask for what was read.
      reading = this.readAll(batches[index + 1] ?? []);
      reading.catch(() => undefined);
      items.push(...(await this.importBatch(batch, drafts)));
    }
    return items;
  }

  private async importBatch(files: readonly string[], drafts: readonly ImportDraft[]): Promise<ImportItem[]> {
    const plans = await this.decideAll(drafts);
    const writes = await mapConcurrently(plans, IMAGE_CONCURRENCY, async (plan) => {
      const write = await this.toWrite(plan);
      this.parts.handleFile();
      return write === null ? [] : [{ plan, write }];
    });
    if (!this.isDryRun) await this.saveAll(writes.flat());
    const plansByFile = new Map(plans.map((plan) => [plan.draft.file, plan]));
    return files.map((file) => toItem(file, plansByFile.get(file), this.refusals.get(file)));
  }

  private get isDryRun(): boolean {
    return this.parts.options.isDryRun === true;
  }

  private async readAll(files: readonly string[]): Promise<ImportDraft[]> {
    const drafts = await mapConcurrently(files, READ_CONCURRENCY, async (file) => {
      const draft = await this.orRefused(file, () => this.parts.reader.read(file));
      if (draft === null) this.parts.handleFile();
      return draft;
    });
    return drafts.filter((draft) => draft !== null);
  }

  private async decideAll(drafts: readonly ImportDraft[]): Promise<Plan[]> {
    const { posts: service, actor, options } = this.parts;
    const keys = drafts.map((draft) => draft.sourceKey);
    const slugs = drafts.map((draft) => draft.fields.slug);
    const posts = await service.findForImportIncludingDrafts(actor, keys, slugs);
    return drafts.map((draft) => {
      const decision = decide(draft, { posts, claimedSlugs: this.claimedSlugs }, options);
      if (decision.kind === 'refuse') this.refusals.set(draft.file, new RefusedError([decision.reason]));
      else this.claimedSlugs.set(draft.fields.slug, draft.file);
      return { draft, decision };
    });
  }

  /** What to write for a plan, its images stored; null when there is nothing to write. */
  private async toWrite({ draft, decision }: Plan): Promise<PostWrite | null> {
    if (decision.kind === 'none' || decision.kind === 'refuse') return null;
    if (decision.kind === 'publish') return { target: decision.target, fields: null, isPublished: true };
    const { uploads, options } = this.parts;
    const addresses = await this.orRefused(draft.file, () => takeImages(draft.images, uploads, this.isDryRun));
    if (addresses === null) return null;
    const target = decision.kind === 'update' ? decision.target : null;
    const publishedDate = draft.fields.publishedDate ?? (target?.isDateChosen ? target.publishedDate : null);
    const fields = { ...placeImages(draft.fields, addresses), publishedDate };
    const isPublished = options.isPublishing === true || draft.isPublished === true;
    return {
      target,
      fields,
      source: { key: draft.sourceKey, fingerprint: fingerprint(draft, fields) },
      // An import never takes a post from the public's eyes.
      ...(isPublished ? { isPublished } : {}),
    };
  }

  /** Writes everything at once; if that fails, one by one, so that each failure stays with its post. */
  private async saveAll(writes: readonly { plan: Plan; write: PostWrite }[]): Promise<void> {
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
    for (const { plan, write } of writes) {
      try {
        await posts.savePosts(actor, [write]);
      } catch (error) {
        if (!isConflict(error)) throw error;
        const reason = 'somebody changed this post, or took its slug, while the import ran; run it again';
        this.refusals.set(plan.draft.file, new RefusedError([reason]));
      }
    }
  }

  private async orRefused<T>(file: string, task: () => Promise<T>): Promise<T | null> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.refusals.set(file, error);
      return null;
    }
  }
}

function isConflict(error: unknown): boolean {
  const kinds = [UniqueConstraintViolationException, PostChangedException, SlugTakenException];
  return kinds.some((kind) => error instanceof kind);
}

function toItem(file: string, plan: Plan | undefined, refusal: RefusedError | undefined): ImportItem {
  const warnings = plan?.draft.warnings ?? refusal?.warnings ?? [];
  const slug = plan?.draft.fields.slug ?? refusal?.slug ?? null;
  if (refusal !== undefined) return { file, slug, outcome: 'refused', reasons: refusal.reasons, warnings };
  const isWritten = plan?.decision.kind !== 'none';
  const outcome = plan?.decision.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings };
}
