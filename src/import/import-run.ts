import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.js';
import type { ImportItem, ImportOptions } from '../shared/contracts/import-report.js';
import { paths } from '../shared/paths.js';
import type { RedirectsService } from '../redirects/redirects.service.js';
import type { Clock } from '../shared/clock.js';
import { PostChangedException, SlugTakenException } from '../posts/post.errors.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { ImportedPost, PostsService, PostWrite } from '../posts/posts.service.js';
import type { ImageResolver } from './images/image-resolver.js';
import type { ImageTaker, TakenImages } from './images/image-taker.js';
import type { LostImageTaker } from './images/lost-images.js';
import {
  Claims,
  decide,
  describeHolder,
  settleComparison,
  settleRetry,
  type Decision,
  type LargeChange,
} from './import-decision.js';
import { placeImages, type ImportDraft } from './import-draft.js';
import { ImportSourceError, RefusedError } from './import.errors.js';
import { mapConcurrently } from './map-concurrently.js';
import { prepareDraft } from './prepare-draft.js';
import { decidePublication, type Publication } from './publication.js';
import { readAhead, readBatches, type LocatedItem } from './source-batches.js';
import { fingerprint, isFromSame } from './source-fingerprint.js';
import { keyInSource, sourceOfKey } from './source-name.js';
import type { PostSource, SourceFormat, SourceItem, SourcePost } from './source-post.js';

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
  readonly lostImages: LostImageTaker;
  readonly clock: Clock;
  readonly actor: Actor;
  readonly options: ImportOptions;
  /** Name of the source; null if its posts can be told from others without it. */
  readonly sourceName: string | null;
  /** Told, for each post that is done with, how much of the source had been read with it. */
  readonly handleProgress: (position: number) => void;
  /** Asks whether posts may lose most of their words; undefined where nobody can be asked. */
  readonly confirmChanges: ((changes: readonly LargeChange[]) => Promise<boolean>) | undefined;
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
  /** Facts found after the post was read. */
  warnings: readonly string[];
  /** Old addresses that no item before this one has. */
  oldPaths: readonly string[];
  redirects: readonly string[];
  publication: Publication | null;
  isWritten: boolean;
}

type DraftWork = Work & { readonly draft: ImportDraft };

interface Ready {
  readonly work: DraftWork;
  readonly write: PostWrite;
}

type Writing = Extract<Decision, { kind: 'create' | 'update' }>;
type Kept = Extract<Decision, { kind: 'keep' }>;

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
      for await (const works of readAhead(readBatches(source), (batch) => this.prepareAll(batch, source.format))) {
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

  private async prepareAll(items: readonly LocatedItem[], format: SourceFormat): Promise<Work[]> {
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
        publication: null,
        isWritten: false,
      };
      if ('skipped' in item) return work;
      if ('refusal' in item) return { ...work, refusal: item.refusal };
      const draft = await orRefused(work, () => prepareDraft(item, this.keyOf(item, format), this.parts.resolver));
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
      const write = await this.toWrite(work);
      this.parts.handleProgress(work.position);
      return write === null ? [] : [{ work, write }];
    });
    const ready = made.flat();
    for (const { work, write } of ready) {
      const { decision } = work;
      if (decision?.kind === 'update' && write.fields) this.claims.noteMove(decision.target, write.fields.slug);
    }
    await this.settleRedirects(ready);
    const writes = ready.map(({ work, write }) => ({ work, write: withPaths(write, work.oldPaths) }));
    if (!this.isDryRun) await this.saveAll(writes);
    this.parts.handleProgress(works.at(-1)?.position ?? 0);
  }

  /** Finds out which old addresses will lead to the posts, and notes why others will not. */
  private async settleRedirects(writes: readonly Ready[]): Promise<void> {
    const inputs = writes.flatMap(({ work, write }) =>
      (write.oldPaths ?? []).map((path) => ({ work, path, target: paths.blog(work.draft.fields.slug) })),
    );
    if (inputs.length === 0) return;
    const results = await this.parts.redirects.predict(inputs);
    for (const [index, { path, target, reason, outcome }] of results.entries()) {
      const { work, path: written } = inputs[index] ?? {};
      if (work === undefined || written === undefined || path === target) continue;
      const holder = outcome === 'changed' ? await this.findHolder(path, work.draft) : null;
      if (holder !== null) {
        work.oldPaths = work.oldPaths.filter((other) => other !== written);
        work.warnings = [...work.warnings, `the old address ${path} leads to ${describeHolder(holder)}, already`];
        continue;
      }
      if (reason === null) work.redirects = [...work.redirects, path];
      else work.warnings = [...work.warnings, `the old address ${path} does not lead here: ${reason}`];
    }
  }

  /** The post of another source, or of this site, that an old address leads to. */
  private async findHolder(path: string, draft: ImportDraft): Promise<ImportedPost | null> {
    const redirect = await this.parts.redirects.find(path);
    const slug = redirect?.path == null ? null : slugOfPath(redirect.path);
    if (slug === null) return null;
    const search = { sourceKeys: [], slugs: [slug] };
    const [post] = await this.parts.posts.findForImportIncludingDrafts(this.parts.actor, search);
    if (post === undefined || post.sourceKey === draft.sourceKey) return null;
    const isOurs = post.sourceKey != null && sourceOfKey(post.sourceKey) === sourceOfKey(draft.sourceKey);
    return isOurs || draft.post.formerKeys?.includes(post.sourceKey ?? '') === true ? null : post;
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
      const { oldPaths, warnings } = this.claims.claimPaths(work.draft.post);
      work.oldPaths = oldPaths;
      work.warnings = warnings;
    }
  }

  /** Settles what only the fields can say, with the addresses of images that are here already. */
  private async compare(work: DraftWork): Promise<void> {
    const { decision, draft } = work;
    if (decision?.kind !== 'compare') return;
    const found = await this.takeWith(this.parts.inspector, work);
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

  /** Returns the write for a draft whose images are stored; null when there is nothing to write. */
  private async toWrite(work: DraftWork): Promise<PostWrite | null> {
    const { draft, decision } = work;
    if (decision?.kind === 'keep' || decision?.kind === 'refuse') {
      const shown = decision.kind === 'keep' ? decision.target : null;
      work.warnings = [...work.warnings, ...(await this.parts.lostImages.takeAgain(draft, shown))];
    }
    if (work.refusal !== null || decision === null) return null;
    if (decision.kind === 'keep') return await this.keep(work, decision);
    if (decision.kind !== 'create' && decision.kind !== 'update' && decision.kind !== 'retry') return null;
    const taken = await this.takeWith(this.parts.taker, work);
    if (taken === null) return null;
    const final = decision.kind === 'retry' ? settleRetry(decision, draft, taken.unfetched) : decision;
    conclude(work, final);
    work.warnings = [...work.warnings, ...taken.warnings];
    if (final.kind === 'keep') return await this.keep(work, final);
    return final.kind === 'create' || final.kind === 'update' ? this.write(work, final, taken) : null;
  }

  private async takeWith(taker: ImageTaker, work: DraftWork): Promise<TakenImages | null> {
    return await orRefused(work, () => taker.take(work.draft.images));
  }

  private publish(work: DraftWork, target: ImportedPost | null, isChanged: boolean): Publication {
    const { clock, options } = this.parts;
    const sides = { post: work.draft.post, target, isChanged, now: clock.now() };
    return (work.publication = decidePublication(sides, options));
  }

  private write(work: DraftWork, decision: Writing, taken: TakenImages): PostWrite {
    const { draft, oldPaths } = work;
    const { post } = draft;
    const target = decision.kind === 'update' ? decision.target : null;
    const fields = toFields(draft, target, taken);
    work.isWritten = true;
    return {
      target,
      ...(decision.kind === 'create' ? toBirth(post, decision.id) : {}),
      ...(post.updatedAt === undefined ? {} : { updatedAt: post.updatedAt }),
      fields,
      source: { key: draft.sourceKey, fingerprint: fingerprint(draft, fields, taken.unfetched) },
      ...this.publish(work, target, target === null || !isFromSame(target, draft)).change,
      oldPaths,
    };
  }

  /** Returns the write for a post whose contents stay: its publication and its source key. */
  private async keep(work: DraftWork, { target, isSameSource }: Kept): Promise<PostWrite | null> {
    const { draft } = work;
    const { change } = this.publish(work, target, !isSameSource);
    work.isWritten = Object.keys(change).length > 0;
    const isRenamed = isSameSource && target.sourceKey !== draft.sourceKey;
    const isAdopted = !isSameSource && draft.post.formerKeys?.includes(target.sourceKey ?? '') === true;
    if (!work.isWritten && !isRenamed && !isAdopted) return null;
    const source = isAdopted
      ? { key: draft.sourceKey, fingerprint: await this.fingerprintOf(work, target) }
      : { key: draft.sourceKey, fingerprint: target.sourceFingerprint ?? '' };
    return { target, fields: null, ...(isRenamed || isAdopted ? { source } : {}), ...change };
  }

  private async fingerprintOf(work: DraftWork, target: ImportedPost): Promise<string> {
    const taken = await this.parts.inspector.take(work.draft.images);
    return fingerprint(work.draft, toFields(work.draft, target, taken), taken.unfetched);
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

function withPaths(write: PostWrite, oldPaths: readonly string[]): PostWrite {
  return write.oldPaths === undefined ? write : { ...write, oldPaths };
}

/** Null for paths that are none of a post. */
function slugOfPath(path: string): string | null {
  const start = paths.blog('');
  return path.startsWith(start) && path.length > start.length ? decodeURIComponent(path.slice(start.length)) : null;
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

function toItem({
  item,
  draft,
  decision,
  refusal,
  warnings: late,
  redirects,
  publication,
  isWritten,
}: Work): ImportItem {
  const { file } = item;
  const nothing = { warnings: [], redirects: [] };
  if ('skipped' in item) return { file, slug: null, outcome: 'skipped', reasons: [item.skipped], ...nothing };
  const slug = draft?.fields.slug ?? refusal?.slug ?? null;
  const warnings = [
    ...(draft?.warnings ?? refusal?.warnings ?? []),
    ...(refusal === null ? (publication?.notes ?? []) : []),
    ...late,
  ];
  if (refusal !== null) return { file, slug, outcome: 'refused', reasons: refusal.reasons, warnings, redirects: [] };
  const outcome = decision?.kind === 'create' ? 'created' : isWritten ? 'updated' : 'unchanged';
  return { file, slug, outcome, reasons: [], warnings, redirects, ...stateOf(publication) };
}

function stateOf(publication: Publication | null): Pick<ImportItem, 'state' | 'publishAt'> {
  if (publication === null) return {};
  const { state, publishAt } = publication;
  return { state, ...(publishAt === undefined ? {} : { publishAt: publishAt.toISOString() }) };
}
