import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { Gate } from '../shared/gate.js';
import { filesOf, mediaIdOf } from '../shared/media-files.js';
import { compareSizes, readAll, type Examined, type ImageFiles, type Lack } from './image-files.js';
import { ImageWorkshop } from './image-workshop.js';
import { findUses } from './image-uses.js';
import { Image } from './image.entity.js';
import { MediaState } from './media-state.entity.js';
import { STORAGE, type Storage } from './storage/storage.js';

/** Rows that are held in memory at once. */
const PAGE = 500;
/** Images that are read at the same time, one file of each in memory; a bucket is far away. */
const AT_ONCE = 8;
/** Files come before their row: those of an upload that is under way belong to nobody yet. */
const UPLOAD_LIMIT_MS = 3_600_000;
const THE_STATE = 1;

/** An image of which files are missing or damaged. */
export interface LackingImage extends Lack {
  readonly id: string;
  readonly name: string;
  /** Texts that show it: posts, drafts, unpublished edits, versions, posts in the trash, and facts of the company. */
  readonly uses: number;
}

/** How to check. */
export interface CheckOptions {
  /** Compares names and sizes only, instead of reading every file. */
  readonly isQuick?: boolean;
  /** Told of each image that lacks something, one at a time. */
  readonly handleLacking?: (image: LackingImage) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** The result of a check. */
export interface CheckedMedia {
  readonly images: number;
  readonly lacking: number;
  /** Ids in the names of files that belong to no image; the sweep removes them when they are old. */
  readonly left: readonly string[];
}

/** Images that have lost files, by all that an importer may know of them. */
export interface LostImages {
  readonly names: ReadonlySet<string>;
  /** SHA-256 of originals, hexadecimal. */
  readonly sourceHashes: ReadonlySet<string>;
  /** Paths and addresses. */
  readonly origins: ReadonlySet<string>;
}

/** The files in the storage under the id of an image. */
interface Stored {
  files: number;
  bytes: number;
  newest: number;
}

/** Finds out whether every image has its files, and every file its image. Changes none of them. */
@Injectable()
export class MediaCheckService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
    private readonly workshop: ImageWorkshop,
  ) {}

  /**
   * Checks every image and stores the totals. Uploads, sweeps and removals may go on meanwhile: an apparent problem is
   * checked again before it is reported.
   * @throws StorageError when the storage is away: that says nothing about the images
   */
  async check({ isQuick = false, handleLacking = () => undefined, signal }: CheckOptions = {}): Promise<CheckedMedia> {
    const stored = await this.listStored();
    const sums = { images: 0, lacking: 0 };
    for await (const page of this.pages()) {
      signal?.throwIfAborted();
      const examined = await this.examineAll(page, stored, isQuick);
      sums.images += page.length;
      for (const { image, lack } of examined) {
        const confirmed = await this.confirm(image, lack);
        if (confirmed === null) continue;
        sums.lacking += 1;
        await handleLacking(confirmed);
      }
      for (const { id } of page) stored.delete(id);
    }
    const left = await this.findLeft(stored);
    await this.note(sums);
    return { ...sums, left };
  }

  /** The images that lack files, by a quick check. */
  async findLost(): Promise<LostImages> {
    const lost = { names: new Set<string>(), sourceHashes: new Set<string>(), origins: new Set<string>() };
    const handleLacking = async ({ id, name }: LackingImage) => {
      lost.names.add(name);
      const row = await this.em.fork({ disableTransactions: true }).findOne(Image, id);
      if (row?.sourceHash) lost.sourceHashes.add(row.sourceHash);
      if (row?.origin) lost.origins.add(row.origin);
    };
    await this.check({ isQuick: true, handleLacking });
    return lost;
  }

  /** Stores the totals of a check. */
  async note({ images, lacking }: Pick<CheckedMedia, 'images' | 'lacking'>): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    await em.upsert(MediaState, { id: THE_STATE, images, lacking, checkedAt: this.clock.now() });
  }

  /** Keeps sums about images as they are looked at: a few numbers for each. */
  private async listStored(): Promise<Map<string, Stored>> {
    const stored = new Map<string, Stored>();
    for await (const { key, size, storedAt } of this.storage.list()) {
      const id = mediaIdOf(key);
      // Files under other names are not the product's.
      if (id === null) continue;
      const sums = stored.get(id) ?? { files: 0, bytes: 0, newest: 0 };
      stored.set(id, sums);
      sums.files += 1;
      sums.bytes += size;
      sums.newest = Math.max(sums.newest, storedAt.getTime());
    }
    return stored;
  }

  private async *pages(): AsyncGenerator<ImageFiles[]> {
    for (let last = ''; ;) {
      const page = await this.em
        .fork({ disableTransactions: true })
        .find(Image, { removedAt: null, id: { $gt: last } }, { orderBy: { id: 'asc' }, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      last = page.at(-1)?.id ?? '';
    }
  }

  private async examineAll(images: readonly ImageFiles[], stored: ReadonlyMap<string, Stored>, isQuick: boolean) {
    const gate = new Gate(AT_ONCE);
    const results = await Promise.all(
      images.map((image) =>
        gate.run(async () => ({ image, lack: await this.examine(image, stored.get(image.id), isQuick) })),
      ),
    );
    return results.filter(({ lack: { missing, damaged } }) => missing.length + damaged.length > 0);
  }

  private async examine(image: ImageFiles, stored: Stored | undefined, isQuick: boolean): Promise<Lack> {
    if (!isQuick) return await this.learn(image, await readAll(this.storage, this.workshop, image));
    const wanted = filesOf(image.name).length;
    if (stored?.files === wanted && stored.bytes === image.byteSize) return { missing: [], damaged: [] };
    const lack = await compareSizes(this.storage, image);
    // Some file has another size than it had, and it is not known which.
    const isUnclear = !image.files && lack.missing.length === 0;
    return isUnclear ? await this.learn(image, await readAll(this.storage, this.workshop, image)) : lack;
  }

  /** Stores size and checksum of files for which none were known. */
  private async learn({ id }: ImageFiles, { learned, ...lack }: Examined): Promise<Lack> {
    if (learned !== null) {
      const byteSize = Object.values(learned).reduce((sum, { size }) => sum + size, 0);
      await this.em.fork().nativeUpdate(Image, { id, removedAt: null }, { files: learned, byteSize });
    }
    return lack;
  }

  /** Looks once more, for the image may have been removed, or mended, since its row was read; null if all is well. */
  private async confirm(image: ImageFiles, { missing, damaged }: Lack): Promise<LackingImage | null> {
    const em = this.em.fork({ disableTransactions: true });
    const row = await em.findOne(Image, { id: image.id, removedAt: null });
    if (row === null) return null;
    const again = await compareSizes(this.storage, row);
    const isSame = JSON.stringify(row.files) === JSON.stringify(image.files);
    const still = {
      missing: missing.filter((name) => again.missing.includes(name)),
      damaged: isSame ? damaged.filter((name) => !again.missing.includes(name)) : again.damaged,
    };
    if (still.missing.length + still.damaged.length === 0) return null;
    const uses = (await findUses(em, [image.id])).get(image.id) ?? [];
    return { id: image.id, name: image.name, ...still, uses: uses.length };
  }

  /**
   * Returns the ids of files that belong to no image, and did not when the check began, and are too old to be an upload
   * in progress.
   */
  private async findLeft(stored: ReadonlyMap<string, Stored>): Promise<string[]> {
    const limit = this.clock.now().getTime() - UPLOAD_LIMIT_MS;
    const ids = [...stored].flatMap(([id, { newest }]) => (newest < limit ? [id] : []));
    const left: string[] = [];
    for (let start = 0; start < ids.length; start += PAGE) {
      const some = ids.slice(start, start + PAGE);
      const rows = await this.em
        .fork({ disableTransactions: true })
        .find(Image, { id: { $in: some } }, { fields: ['id'] });
      const known = new Set(rows.map(({ id }) => id));
      left.push(...some.filter((id) => !known.has(id)));
    }
    return left.sort();
  }
}
