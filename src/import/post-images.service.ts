import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { moveImages } from '../posts/content/remote-images.js';
import { propertyOf } from '../posts/post-columns.js';
import type { PostChange } from '../posts/post-change.js';
import { PostRevision } from '../posts/post-revision.entity.js';
import { findImagesOfForm, type TextColumns } from '../posts/post-texts.js';
import { PostWriter } from '../posts/post-writer.js';
import { Post, type PostRow } from '../posts/post.entity.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { StoredPostForm } from '../shared/contracts/admin-posts.js';
import { showingFields, specOf } from '../shared/contracts/post-fields.js';
import { ImageRejectedError, refuseStilled, UploadsService } from '../uploads/uploads.service.js';
import { ImageUnavailableError } from './images/image-unavailable.error.js';
import { RemoteImageFetcher } from './images/remote-image-fetcher.js';
import { mapConcurrently } from './map-concurrently.js';
import { findRemoteAddresses } from './remote-addresses.js';
import { carryFingerprint } from './source-fingerprint.js';

export { findRemoteAddresses } from './remote-addresses.js';

/** Encoding an image keeps a core busy, fetching one mostly waits. */
const POSTS_AT_ONCE = 4;

/** A picture that cannot be had, with the reason: 'answered 404'. */
export interface LostPicture {
  readonly address: string;
  readonly reason: string;
}

/** The result for one post that shows pictures of other sites. */
export interface PostOutcome {
  readonly id: string;
  readonly slug: string;
  /** Addresses of pictures that are ours now, or in a dry run could be. */
  readonly stored: readonly string[];
  readonly lost: readonly LostPicture[];
}

interface FetchOptions {
  /** Fetches and looks at every picture, and stores none. */
  readonly isDryRun: boolean;
  /** Host names that may be at private addresses, as for imports (decision 25). */
  readonly privateHosts: readonly string[];
  readonly handlePost: (outcome: PostOutcome) => void;
}

/** The address that a picture has here, null while a dry run stores none; or why it cannot be had. */
type Outcome = { readonly url: string | null } | { readonly reason: string };

/** Stores the pictures of other sites that posts show, wherever they show them: texts, edits that wait, versions. */
@Injectable()
export class PostImagesService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly roles: RolesService,
    private readonly uploads: UploadsService,
    private readonly writer: PostWriter,
  ) {}

  /**
   * Takes one post after the other, each in a transaction of its own: what was done stays done, and the next run goes on
   * with the rest. Every address is fetched once.
   * @throws StorageError
   */
  async fetchAll(actor: Actor, { isDryRun, privateHosts, handlePost }: FetchOptions): Promise<void> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const shown = await findRemoteAddresses((sql) => em.execute(sql), this.config);
    const posts = await em.find(
      Post,
      { id: { $in: [...shown.keys()] } },
      { fields: ['id', 'slug'], orderBy: { slug: 'asc' } },
    );
    const fetcher = new RemoteImageFetcher({ privateHosts });
    const known = new Map<string, Promise<Outcome>>();
    const takeOnce = (address: string) => {
      const outcome = known.get(address) ?? this.take(address, fetcher, isDryRun);
      known.set(address, outcome);
      return outcome;
    };
    await mapConcurrently(posts, POSTS_AT_ONCE, async ({ id, slug }) => {
      const stored: string[] = [];
      const lost: LostPicture[] = [];
      const moves = new Map<string, string>();
      for (const address of shown.get(id) ?? []) {
        const outcome = await takeOnce(address);
        if ('reason' in outcome) lost.push({ address, reason: outcome.reason });
        else stored.push(address);
        if ('url' in outcome && outcome.url !== null) moves.set(address, outcome.url);
      }
      if (moves.size > 0) await this.move(actor, id, moves);
      handlePost({ id, slug, stored, lost });
    });
  }

  private async take(address: string, fetcher: RemoteImageFetcher, isDryRun: boolean): Promise<Outcome> {
    try {
      const bytes = await fetcher.fetch(address);
      // The post keeps the address of an animation: its first frame alone is not what the author chose.
      const options = { hasToMove: true };
      if (!isDryRun) return { url: (await this.uploads.storeImage(bytes, undefined, address, options)).url };
      refuseStilled(bytes);
      await this.uploads.inspectImage(bytes);
      return { url: null };
    } catch (error) {
      const isRefusal = error instanceof ImageUnavailableError || error instanceof ImageRejectedError;
      if (isRefusal) return { reason: error.message };
      throw error;
    }
  }

  /**
   * Writes the new addresses over what the post says by now, whoever has saved it meanwhile. Its dates stay; its version is
   * raised, so that an editor which holds the old addresses does not write them again.
   */
  private async move(actor: Actor, id: string, moves: ReadonlyMap<string, string>): Promise<void> {
    await this.writer.transaction(async (em) => {
      const [row] = await this.writer.lock(em, [id]);
      if (row === undefined) return;
      const change = toChange(row, moves);
      const isChanged = Object.keys(change).length > 0;
      if (isChanged) {
        const dated: PostChange = { ...change, updatedAt: row.updatedAt };
        await this.writer.writeOne(em, actor, { row, change: dated, isCarryingEdits: true });
      }
      const isMoved = await this.moveRevisions(em, id, moves);
      if (isChanged || isMoved) await this.writer.record(em, actor, { row, action: 'post.pictures_stored' });
    });
  }

  /** Returns true when a version of the post shows one of them. */
  private async moveRevisions(em: EntityManager, id: string, moves: ReadonlyMap<string, string>): Promise<boolean> {
    const revisions = await em.find(PostRevision, { post: id }, { fields: ['id', 'fields'], disableIdentityMap: true });
    let isMoved = false;
    for (const revision of revisions) {
      const fields = moveInForm(revision.fields, moves);
      if (fields === null) continue;
      isMoved = true;
      await em.nativeUpdate(PostRevision, { id: revision.id }, { fields });
      await this.uploads.recordUses(em, id, 'revision', findImagesOfForm(fields));
    }
    return isMoved;
  }
}

/** The columns that change; none where the post shows none of these pictures any more. */
function toChange(row: PostRow, moves: ReadonlyMap<string, string>): PostChange {
  const texts: Partial<TextColumns> = Object.fromEntries(
    showingFields.flatMap((name) => {
      const before = row[propertyOf(name)];
      const after = moveInField(name, before, moves);
      return after === before ? [] : [[propertyOf(name), after]];
    }),
  );
  const fields = moveInForm(row.workingCopy?.fields ?? {}, moves);
  const isMoved = Object.keys(texts).length > 0;
  const sourceFingerprint = isMoved ? carryFingerprint(row, texts) : null;
  return {
    ...texts,
    ...(sourceFingerprint === null ? {} : { sourceFingerprint }),
    ...(fields === null || !row.workingCopy ? {} : { workingCopy: { ...row.workingCopy, fields } }),
  };
}

/** Null where nothing changes. */
function moveInForm(form: StoredPostForm, moves: ReadonlyMap<string, string>): StoredPostForm | null {
  const changed = showingFields.flatMap((name) => {
    const after = moveInField(name, form[name], moves);
    return after === form[name] ? [] : [[name, after] as const];
  });
  return changed.length === 0 ? null : { ...form, ...Object.fromEntries(changed) };
}

function moveInField<Value extends string | null | undefined>(
  name: (typeof showingFields)[number],
  value: Value,
  moves: ReadonlyMap<string, string>,
): string | Value {
  if (typeof value !== 'string') return value;
  return specOf(name).kind === 'html' ? moveImages(value, moves) : (moves.get(value) ?? value);
}
