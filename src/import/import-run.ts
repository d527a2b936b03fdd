import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { PostChangedException, SlugTakenException } from '../posts/post.errors.js';
import type { ImportItem } from '../shared/contracts/import-report.js';
import { ImageGoneException } from '../uploads/uploads.service.js';
import { DraftWrites, takeWith, toFields } from './draft-writes.js';
import { Claims, decide, settleComparison } from './import-decision.js';
import {
  beginWork,
  conclude,
  orRefused,
  toItem,
  type DraftWork,
  type ImportParts,
  type Ready,
  type Work,
} from './import-work.js';
import { ImportSourceError, RefusedError } from './import.errors.js';
import { mapConcurrently } from './map-concurrently.js';
import { OldLists } from './old-lists.js';
import { OldAddresses, withPaths } from './old-addresses.js';
import { prepareDraft } from './prepare-draft.js';
import { readAhead, readBatches, type LocatedItem } from './source-batches.js';
import { keyInSource } from './source-name.js';
import type { PostSource, SourceFormat, SourcePost } from './source-post.js';

/** Encoding an image keeps a core busy, fetching one mostly waits. */
const IMAGE_CONCURRENCY = 4;
const FILE_CONCURRENCY = 8;

/** One import from its first item to its last. */
export class ImportRun {
  private readonly claims = new Claims();
  private readonly addresses: OldAddresses;
  private readonly lists: OldLists;
  private readonly writes: DraftWrites;

  constructor(private readonly parts: ImportParts) {
    this.addresses = new OldAddresses(parts);
    this.lists = new OldLists(parts);
    this.writes = new DraftWrites(parts);
  }

  /**
   * Imports in groups, each in one transaction; an item is given when it is done with.
   * @param name what a source that breaks off is called in the report
   * @throws ImportSourceError when nothing at all could be read
   */
  async *import(source: PostSource, name: string): AsyncGenerator<ImportItem> {
    let isBegun = false;
    try {
      for await (const works of readAhead(readBatches(source), (batch) => this.prepareAll(batch, source.format))) {
        isBegun = true;
        await this.importAll(works);
        yield* works.map(toItem);
      }
      if (!isBegun) throw new ImportSourceError(`${name}: holds nothing to import`);
    } catch (error) {
      if (!(error instanceof ImportSourceError) || !isBegun) throw error;
      yield { file: name, slug: null, outcome: 'refused', reasons: [error.message], warnings: [], redirects: [] };
    }
  }

  private get isDryRun(): boolean {
    return this.parts.options.isDryRun === true;
  }

  private async prepareAll(items: readonly LocatedItem[], format: SourceFormat): Promise<Work[]> {
    return await mapConcurrently(items, FILE_CONCURRENCY, async ({ item, position }) => {
      const work = beginWork({ item, position });
      if ('skipped' in item || 'refusal' in item) return work;
      const isWhole = this.parts.options.isLeavingOutMissingImages !== true;
      const draft = await orRefused(work, () =>
        prepareDraft(item, this.keyOf(item, format), this.parts.resolver, isWhole),
      );
      return { ...work, draft };
    });
  }

  private keyOf({ itemKey, isUniqueKey, slug }: SourcePost, format: SourceFormat): string {
    if (isUniqueKey === true) return itemKey;
    const { sourceName } = this.parts;
    if (sourceName !== null) return keyInSource(format, sourceName, itemKey);
    throw new RefusedError(['has no id that no other source has: say with --source what the source is called'], slug);
  }

  private async importAll(works: readonly Work[]): Promise<void> {
    const drafts = works.filter((work): work is DraftWork => work.draft !== null);
    await this.decideAll(drafts);
    await mapConcurrently(drafts, IMAGE_CONCURRENCY, (work) => this.compare(work));
    await this.askAbout(drafts);
    const made = await mapConcurrently(drafts, IMAGE_CONCURRENCY, async (work) => {
      const write = await this.writes.toWrite(work);
      this.parts.handleProgress(work.position);
      return write === null ? [] : [{ work, write }];
    });
    const ready = made.flat();
    for (const { work, write } of ready) {
      const { decision } = work;
      const target = decision?.kind === 'create' ? decision.over : decision?.kind === 'update' && decision.target;
      if (target && write.fields) this.claims.noteMove(target, write.fields.slug);
    }
    await this.addresses.settle(ready);
    await this.lists.settle(ready);
    const writes = ready.map(({ work, write }) => ({
      work,
      write: withPaths({ ...write, lists: work.lists }, work.oldPaths),
    }));
    if (!this.isDryRun) await this.saveAll(writes);
    await this.bringComments(drafts);
    this.parts.handleProgress(works.at(-1)?.position ?? 0);
  }

  /**
   * Brings the comments of posts that are here by now; what was left is said in any case. Of two items that are one post, the
   * one that was refused for that has no say.
   */
  private async bringComments(works: readonly DraftWork[]): Promise<void> {
    const { comments, actor, options, runId } = this.parts;
    const isRepeated = ({ decision }: Work) => decision?.kind === 'refuse' && decision.isRepeated === true;
    const commented = works.filter((work) => work.draft.post.comments !== undefined && !isRepeated(work));
    const isTaking = options.isTakingComments === true && commented.length > 0;
    const taken = new Map(commented.map(({ draft }) => [draft.sourceKey, draft.post.comments?.taken ?? []]));
    const isCreated = ({ decision, refusal }: Work) => decision?.kind === 'create' && refusal === null;
    const created = new Set(commented.filter(isCreated).map(({ draft }) => draft.sourceKey));
    const counts = isTaking ? await comments.bring(actor, taken, runId, created) : new Map<string, never>();
    for (const work of commented) {
      const left = work.draft.post.comments?.left ?? {};
      const { came, changed, gone } = counts.get(work.draft.sourceKey) ?? { came: 0, changed: 0, gone: 0 };
      const isAny = came + changed + gone > 0 || Object.keys(left).length > 0;
      work.comments = isAny ? { came, changed, gone, left } : null;
    }
  }

  private async decideAll(works: readonly DraftWork[]): Promise<void> {
    const { posts: service, actor, options } = this.parts;
    const drafts = works.map(({ draft }) => draft);
    const posts = await service.findForImportIncludingDrafts(actor, {
      sourceKeys: drafts.flatMap(({ sourceKey, post }) => [sourceKey, ...(post.formerKeys ?? [])]),
      slugs: drafts.map(({ fields }) => fields.slug),
      ids: drafts.flatMap(({ post }) => post.id ?? []),
    });
    for (const work of works) {
      conclude(work, decide(work.draft, { posts, claims: this.claims }, options));
      if (work.refusal !== null) continue;
      this.claims.claim(work.draft);
      const { oldPaths, warnings } = this.claims.claimPaths(work.draft.post, (path) =>
        this.parts.redirects.spell(path),
      );
      work.oldPaths = oldPaths;
      work.warnings = warnings;
    }
  }

  /** Settles what only the fields can say, with the addresses of images that are here already. */
  private async compare(work: DraftWork): Promise<void> {
    const { decision, draft } = work;
    if (decision?.kind !== 'compare') return;
    const found = await takeWith(this.parts.inspector, work);
    if (found === null) return;
    const fields = toFields(draft, decision.target, found);
    conclude(work, settleComparison(decision, draft, fields, this.parts.options));
    // By id and by former key, there may be one of each.
    if (work.decision?.kind === 'compare') await this.compare(work);
  }

  /** Asks once for the whole group; where nobody can be asked, or the answer is no, nothing is changed. */
  private async askAbout(works: readonly DraftWork[]): Promise<void> {
    const asked = works.flatMap((work) => (work.decision?.kind === 'ask' ? [{ work, decision: work.decision }] : []));
    if (asked.length === 0) return;
    const { confirmChanges } = this.parts;
    const isAccepted =
      !this.isDryRun && (await confirmChanges?.(asked.map(({ decision }) => decision.question))) === true;
    for (const { work, decision } of asked) {
      const { target, refusal } = decision;
      conclude(work, isAccepted ? { kind: 'update', target } : { kind: 'refuse', reason: refusal });
    }
  }

  /** Writes everything at once; if that fails, one by one, so that each failure stays with its post. */
  private async saveAll(writes: readonly Ready[]): Promise<void> {
    const { posts, actor, runId } = this.parts;
    try {
      await posts.savePosts(
        actor,
        writes.map(({ write }) => write),
        runId,
      );
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    for (const { work, write } of writes) {
      try {
        await posts.savePosts(actor, [write], runId);
      } catch (error) {
        if (!isConflict(error)) throw error;
        const reason =
          error instanceof ImageGoneException
            ? 'shows an image that was removed from the media; upload it again and name its new address, or leave it out'
            : 'somebody changed this post, or took its slug, while the import ran; run it again';
        work.refusal = new RefusedError([reason]);
      }
    }
  }
}

function isConflict(error: unknown): boolean {
  const kinds = [UniqueConstraintViolationException, PostChangedException, SlugTakenException, ImageGoneException];
  return kinds.some((kind) => error instanceof kind);
}
