import { readFile } from 'node:fs/promises';
import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ImageRejectedError, UploadsService } from '../uploads/uploads.service.js';
import type { Actor } from '../shared/actor.js';
import { PostChangedError } from './post.errors.js';
import { PostsService, type PostWrite } from './posts.service.js';
import { ImageFinder } from './import/image-finder.js';
import { decide, fingerprint, type Decision } from './import/import-decision.js';
import { placeImages, type DraftImage, type ImportDraft } from './import/import-draft.js';
import type { ImportItem, ImportOptions, ImportReport } from '../shared/contracts/import-report.js';
import { RefusedError } from './import/import.errors.js';
import { mapConcurrently } from './import/map-concurrently.js';
import { MarkdownReader } from './import/markdown-reader.js';
import { findSourceFiles } from './import/source-files.js';

/** Posts that are read, decided and written together: enough to be fast, few enough to fit in memory. */
const BATCH_SIZE = 50;
/** Encoding an image keeps a core busy, reading a post mostly waits. */
const IMAGE_CONCURRENCY = 2;
const READ_CONCURRENCY = 8;

/** Told after each file; `total` is known from the start. */
export type ImportProgress = (done: number, total: number) => void;

/** A draft on its way: what was decided and, in the end, what to write. */
interface Plan {
  readonly draft: ImportDraft;
  readonly decision: Decision;
}

type Refusals = Map<string, RefusedError>;

/** Brings posts from elsewhere in, over the same write path as everything else. */
@Injectable()
export class ImportService {
  constructor(
    private readonly posts: PostsService,
    private readonly uploads: UploadsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Imports a Markdown file, or all of a folder. A post that cannot be taken is refused, whole, and named with its
   * reasons; the others are taken. Running it again changes nothing.
   * @throws ImportSourceError if there is nothing to import
   */
  async importMarkdown(
    actor: Actor,
    path: string,
    options: ImportOptions = {},
    onProgress: ImportProgress = () => undefined,
  ): Promise<ImportReport> {
    const { root, files } = await findSourceFiles(path);
    const reader = new MarkdownReader(await ImageFinder.create(root, options.assetsFolder), {
      root,
      siteName: this.config.site.name,
      timeZone: this.config.site.timeZone,
      isLeavingOutMissingImages: options.isLeavingOutMissingImages === true,
    });
    const items: ImportItem[] = [];
    const claimedSlugs = new Map<string, string>();
    for (let start = 0; start < files.length; start += BATCH_SIZE) {
      const batch = files.slice(start, start + BATCH_SIZE);
      const isDone = () => onProgress(items.length + (finished += 1), files.length);
      let finished = 0;
      items.push(...(await this.importBatch(actor, batch, reader, claimedSlugs, options, isDone)));
    }
    return { isDryRun: options.isDryRun === true, items };
  }

  private async importBatch(
    actor: Actor,
    files: readonly string[],
    reader: MarkdownReader,
    claimedSlugs: Map<string, string>,
    options: ImportOptions,
    onFile: () => void,
  ): Promise<ImportItem[]> {
    const refusals: Refusals = new Map();
    const drafts = await this.readAll(files, reader, refusals);
    const plans = await this.decideAll(actor, drafts, claimedSlugs, options, refusals);
    const writes = await mapConcurrently(plans, IMAGE_CONCURRENCY, async (plan) => {
      const write = await this.toWrite(plan, options, refusals);
      onFile();
      return write === null ? [] : [{ plan, write }];
    });
    if (options.isDryRun !== true) await this.saveAll(actor, writes.flat(), refusals);
    for (let missing = files.length - plans.length; missing > 0; missing -= 1) onFile();
    const plansByFile = new Map(plans.map((plan) => [plan.draft.file, plan]));
    return files.map((file) => toItem(file, plansByFile.get(file), refusals.get(file)));
  }

  private async readAll(files: readonly string[], reader: MarkdownReader, refusals: Refusals): Promise<ImportDraft[]> {
    const drafts = await mapConcurrently(files, READ_CONCURRENCY, (file) =>
      orRefused(file, refusals, () => reader.read(file)),
    );
    return drafts.filter((draft) => draft !== null);
  }

  private async decideAll(
    actor: Actor,
    drafts: readonly ImportDraft[],
    claimedSlugs: Map<string, string>,
    options: ImportOptions,
    refusals: Refusals,
  ): Promise<Plan[]> {
    const keys = drafts.map((draft) => draft.sourceKey);
    const slugs = drafts.map((draft) => draft.fields.slug);
    const posts = await this.posts.findForImportIncludingDrafts(actor, keys, slugs);
    return drafts.map((draft) => {
      const decision = decide(draft, { posts, claimedSlugs }, options);
      if (decision.kind === 'refuse') {
        refusals.set(draft.file, new RefusedError([decision.reason], draft.fields.slug, draft.warnings));
      } else {
        claimedSlugs.set(draft.fields.slug, draft.file);
      }
      return { draft, decision };
    });
  }

  /** What to write for a plan, its images stored; null when there is nothing to write. */
  private async toWrite(
    { draft, decision }: Plan,
    options: ImportOptions,
    refusals: Refusals,
  ): Promise<PostWrite | null> {
    if (decision.kind === 'none' || decision.kind === 'refuse') return null;
    if (decision.kind === 'publish') return { target: decision.target, fields: null, isPublished: true };
    const addresses = await orRefused(draft.file, refusals, () => this.takeImages(draft, options.isDryRun === true));
    if (addresses === null) return null;
    const target = decision.kind === 'update' ? decision.target : null;
    const publishedDate = draft.fields.publishedDate ?? target?.publishedDate ?? new Date();
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

  /**
   * Checks the images of a post, then stores them: none is stored for a post that is refused over another.
   * @returns addresses by placeholder
   */
  private async takeImages({ images }: ImportDraft, isDryRun: boolean): Promise<Map<string, string>> {
    const addresses = new Map<string, string>();
    if (isDryRun || images.length > 1) {
      const reasons: string[] = [];
      for (const image of images) await collect(reasons, image, (bytes) => this.uploads.inspectImage(bytes));
      if (reasons.length > 0) throw new RefusedError(reasons);
    }
    if (isDryRun) return addresses;
    for (const image of images) {
      const reasons: string[] = [];
      const stored = await collect(reasons, image, (bytes) => this.uploads.storeImage(bytes));
      if (stored === null) throw new RefusedError(reasons);
      addresses.set(image.placeholder, stored.url);
    }
    return addresses;
  }

  /** Writes everything at once; if that fails, one by one, so that each failure stays with its post. */
  private async saveAll(
    actor: Actor,
    writes: readonly { plan: Plan; write: PostWrite }[],
    refusals: Refusals,
  ): Promise<void> {
    try {
      await this.posts.savePosts(
        actor,
        writes.map(({ write }) => write),
      );
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    for (const { plan, write } of writes) {
      try {
        await this.posts.savePosts(actor, [write]);
      } catch (error) {
        if (!isConflict(error)) throw error;
        const reason = 'somebody changed this post, or took its slug, while the import ran; run it again';
        refusals.set(plan.draft.file, new RefusedError([reason]));
      }
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof UniqueConstraintViolationException || error instanceof PostChangedError;
}

async function collect<T>(
  reasons: string[],
  image: DraftImage,
  take: (bytes: Buffer) => Promise<T>,
): Promise<T | null> {
  try {
    return await take(await readFile(image.path));
  } catch (error) {
    if (!(error instanceof ImageRejectedError)) throw error;
    reasons.push(`the image ${image.written}: ${error.message}`);
    return null;
  }
}

async function orRefused<T>(file: string, refusals: Refusals, task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    refusals.set(file, error);
    return null;
  }
}

function toItem(file: string, plan: Plan | undefined, refusal: RefusedError | undefined): ImportItem {
  const warnings = plan?.draft.warnings ?? refusal?.warnings ?? [];
  const slug = plan?.draft.fields.slug ?? refusal?.slug ?? null;
  if (refusal !== undefined) return { file, slug, outcome: 'refused', reasons: refusal.reasons, warnings };
  const isWritten = plan?.decision.kind !== 'none';
  const outcome = plan?.decision.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings };
}
