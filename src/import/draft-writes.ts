import { propertyOf } from '../posts/post-columns.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { TextColumns } from '../posts/post-texts.js';
import { showingFields } from '../shared/contracts/post-fields.js';
import type { ImageTaker, TakenImages } from './images/image-taker.js';
import { settleRetry, type Decision } from './import-decision.js';
import { isNothingWithout, placeImages, type ImportDraft } from './import-draft.js';
import { conclude, orRefused, type DraftWork, type ImportParts } from './import-work.js';
import { RefusedError } from './import.errors.js';
import type { ImportedPost, PostWrite } from './imported-posts.service.js';
import { withHint } from './prepare-draft.js';
import { decidePublication, type Publication } from './publication.js';
import { fingerprint, isFromSame } from './source-fingerprint.js';
import type { SourcePost } from './source-post.js';

type Writing = Extract<Decision, { kind: 'create' | 'update' }>;
type Kept = Extract<Decision, { kind: 'keep' }>;
type Parts = Pick<ImportParts, 'taker' | 'inspector' | 'lostImages' | 'clock' | 'options'>;

/** Makes writes of drafts that were decided about. */
export class DraftWrites {
  constructor(private readonly parts: Parts) {}

  /** Returns the write for a draft whose images are stored; null when there is nothing to write. */
  async toWrite(work: DraftWork): Promise<PostWrite | null> {
    const { draft, decision } = work;
    if (decision?.kind === 'keep' || decision?.kind === 'refuse') {
      const shown = decision.kind === 'keep' ? decision.target : null;
      work.repairs = await this.parts.lostImages.takeAgain(draft, shown);
    }
    if (work.refusal !== null || decision === null) return null;
    if (decision.kind === 'keep') return await this.keep(work, decision);
    if (decision.kind !== 'create' && decision.kind !== 'update' && decision.kind !== 'retry') return null;
    const taken = await takeWith(this.parts.taker, work);
    if (taken === null) return null;
    const final = decision.kind === 'retry' ? settleRetry(decision, draft, taken.unfetched) : decision;
    conclude(work, final);
    work.warnings = [...work.warnings, ...taken.warnings];
    if (final.kind === 'keep') return await this.keep(work, final);
    if (final.kind === 'update' && this.isLosingImages(final.target, draft, taken)) {
      const reasons = draft.missing.map(withHint);
      work.refusal = new RefusedError(['would lose images that it shows; nothing was changed', ...reasons]);
      return null;
    }
    return final.kind === 'create' || final.kind === 'update' ? this.write(work, final, taken) : null;
  }

  /** A second run without the folder of the images takes none away. */
  private isLosingImages(target: ImportedPost, draft: ImportDraft, taken: TakenImages): boolean {
    if (draft.missing.length === 0 || this.parts.options.isLeavingOutMissingImages === true) return false;
    return countShown(toFields(draft, target, taken)) < countShown(target);
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
      target: decision.kind === 'create' && decision.over !== undefined ? decision.over : target,
      ...(decision.kind === 'create' ? toBirth(post, decision, this.parts.clock.now()) : {}),
      ...changeOf(post, this.parts.clock.now()),
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
    const taken = await this.parts.inspector.take(work.draft.images, work.draft.files);
    return fingerprint(work.draft, toFields(work.draft, target, taken), taken.unfetched);
  }
}

/** Takes the images of a draft; null where a post of an export of ours is nothing without those that are not accepted. */
export async function takeWith(taker: ImageTaker, work: DraftWork): Promise<TakenImages | null> {
  return await orRefused(work, async () => {
    const { images, files, fields, post } = work.draft;
    const taken = await taker.take(images, files);
    const isLeavingOut = [...taken.addresses.values()].includes(null);
    if (!isLeavingOut || !isNothingWithout(fields, taken)) return taken;
    const nothing = 'nothing is left of its text without images that are not accepted';
    if (post.isExact === true) throw new RefusedError([nothing, ...taken.warnings]);
    return { ...taken, warnings: [...taken.warnings, `${nothing}: its title stands in its place`] };
  });
}

/** The number of stored files that a post shows, or would show once they are stored. */
function countShown(fields: Partial<TextColumns>): number {
  const texts = showingFields.flatMap((name) => fields[propertyOf(name)] ?? []);
  return new Set(texts.flatMap((text) => String(text).match(/\/media\/[\w.-]+/g) ?? [])).size;
}

/** The fields with the addresses of their images. A post keeps the date that it was given here. */
export function toFields(draft: ImportDraft, target: ImportedPost | null, taken: TakenImages): PostFields {
  const keptDate = target?.isDateChosen === true && draft.post.isExact !== true ? target.publishedDate : null;
  const fields = placeImages(draft.fields, taken);
  return { ...fields, publishedDate: fields.publishedDate ?? keptDate };
}

/** Readers saw no change that is to come, and none before the post. */
function changeOf({ updatedAt, savedAt, date }: SourcePost, now: Date): Pick<PostWrite, 'updatedAt'> {
  if (updatedAt !== undefined) return { updatedAt };
  if (savedAt === undefined || savedAt > now) return {};
  return { updatedAt: date !== undefined && date > savedAt && date <= now ? date : savedAt };
}

/** No post is created on a day to come, by which lists would be sorted. */
function toBirth(post: SourcePost, { id, over }: Extract<Decision, { kind: 'create' }>, now: Date): Partial<PostWrite> {
  const isBorn = post.createdAt !== undefined && (post.createdAt <= now || post.isExact === true);
  return {
    ...(id === undefined ? {} : { id }),
    ...(over === undefined ? {} : { isRecreated: true }),
    ...(isBorn ? { createdAt: post.createdAt } : {}),
  };
}
