import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Clock } from '../shared/clock.js';
import { filesOf, mediaIdOf } from '../shared/media-files.js';
import { IS_USED } from './company-uses.js';
import { Image, type ImageRow } from './image.entity.js';
import { giveUp } from './media-library.service.js';
import { deleteFiles } from './storage/delete-files.js';
import { STORAGE, type Storage } from './storage/storage.js';

const DAY_MS = 86_400_000;
/**
 * Age at which a file without an image is removed, however long unused images are kept. An upload whose row is still to
 * be written takes minutes, an import or a restore hours: those are over by far. It is not less, so that whoever goes
 * back to an older database and forward again within days finds the images of those days.
 */
export const LEFT_FILE_MS = 7 * DAY_MS;
/** Files in a row that could not be deleted before a sweep is left to the next one. */
const PATIENCE = 3;
/** Left files that are removed before it is asked again whether an image has come that they belong to. */
const AT_ONCE = 20;

/** The result of a sweep. */
export interface SweepResult {
  /** Images that nothing showed for long enough. */
  readonly images: number;
  /** Files that belonged to no image any more. */
  readonly files: number;
}

/**
 * Removes images that nothing has shown for a while, and files that a killed process has left. It may be killed itself
 * at any moment, and run in two processes at once: an image is first given up in the database, where its lock keeps it
 * from being used, and its files go afterward; those that do not go then are found by the next sweep.
 */
@Injectable()
export class MediaSweepService {
  private readonly logger = new Logger(MediaSweepService.name);
  private readonly graceMs: number;
  private failures = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
    @Inject(CONFIG) config: Config,
  ) {
    this.graceMs = config.uploads.unusedDays * DAY_MS;
  }

  /** @param signal ends the sweep early; the next one goes on */
  async sweep(signal?: AbortSignal): Promise<SweepResult> {
    this.failures = 0;
    const now = this.clock.now();
    const deadline = new Date(now.getTime() - this.graceMs);
    await this.noteUnused(now);
    const images = await this.removeUnused(deadline, now, signal);
    const leftBefore = new Date(now.getTime() - LEFT_FILE_MS);
    const files = await this.removeLeftFiles(leftBefore, signal);
    await this.storage.deleteUnfinished(leftBefore);
    if (images + files > 0) this.logger.log({ images, files }, 'Removed images that nothing shows, and left files');
    return { images, files };
  }

  /** Removes unfinished files of dead processes of this machine. */
  async removeAbandoned(): Promise<void> {
    await this.storage.deleteUnfinished(new Date(0));
  }

  /** From the first sweep that finds an image unused its time is counted, and anew when it was used in between. */
  private async noteUnused(now: Date): Promise<void> {
    const em = this.em.fork();
    await em.execute(`update images set unused_since = null where unused_since is not null and ${IS_USED}`);
    await em.execute(
      `update images set unused_since = ? where unused_since is null and removed_at is null and not ${IS_USED}`,
      [now],
    );
  }

  private async removeUnused(deadline: Date, now: Date, signal: AbortSignal | undefined): Promise<number> {
    const where = { removedAt: null, unusedSince: { $lte: deadline } };
    const due = await this.em.fork().find(Image, where, { fields: ['id', 'name'] });
    let count = 0;
    for (const { id, name } of due) {
      if (this.isOver(signal)) break;
      if (!(await this.giveUpIfUnused(id, deadline, now))) continue;
      count += 1;
      await this.deleteFiles(filesOf(name));
    }
    return count;
  }

  private giveUpIfUnused(id: string, deadline: Date, now: Date): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const where = { id, removedAt: null, unusedSince: { $lte: deadline } };
      // A transaction that has locked the image is about to use it, or to remove it.
      const image = await em.findOne(Image, where, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
      if (image === null) return false;
      // Whoever began to use it before this lock has committed.
      const uses = await em.execute(`select 1 from images where id = ? and ${IS_USED}`, [id]);
      if (uses.length > 0) return false;
      giveUp(image, now);
      return true;
    });
  }

  /** Files of images that were given up, and files that have no image although they are old. */
  private async removeLeftFiles(deadline: Date, signal: AbortSignal | undefined): Promise<number> {
    const rows = await this.em.fork().find(Image, {}, { fields: ['id', 'removedAt'] });
    const known = new Map(rows.map((row) => [row.id, row]));
    const left: string[] = [];
    const strangers = new Set<string>();
    for await (const { key, storedAt } of this.storage.list()) {
      if (signal?.aborted) return 0;
      // Files under other names are not the product's.
      const id = mediaIdOf(key);
      if (id === null) continue;
      const image: Pick<ImageRow, 'removedAt'> | undefined = known.get(id);
      if (image === undefined && storedAt <= deadline) strangers.add(id);
      if (image === undefined ? storedAt <= deadline : image.removedAt !== null) left.push(key);
    }
    if (strangers.size > rows.length) {
      this.logger.warn(
        `Most of the stored images, ${strangers.size}, are unknown to the database: nothing is removed, as this may ` +
          'be the storage of another site',
      );
      return 0;
    }
    let count = 0;
    for (let start = 0; start < left.length && !this.isOver(signal); start += AT_ONCE) {
      const some = await this.findWithoutImage(left.slice(start, start + AT_ONCE));
      count += await this.deleteFiles(some, signal);
    }
    return count;
  }

  /** Listing takes its time: meanwhile an import may have given files their image again, or a restore brought it back. */
  private async findWithoutImage(names: readonly string[]): Promise<string[]> {
    const ids = names.flatMap((name) => mediaIdOf(name) ?? []);
    const rows = await this.em.fork().find(Image, { id: { $in: ids }, removedAt: null }, { fields: ['id'] });
    const known = new Set(rows.map(({ id }) => id));
    return names.filter((name) => !known.has(mediaIdOf(name) ?? ''));
  }

  private async deleteFiles(names: readonly string[], signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (const name of names) {
      if (this.isOver(signal)) break;
      const reasons = await deleteFiles(this.storage, [name]);
      this.failures = reasons.length === 0 ? 0 : this.failures + 1;
      for (const reason of reasons) this.logger.warn(`A file that nothing shows stays for now: ${String(reason)}`);
      count += 1 - reasons.length;
    }
    return count;
  }

  /**
   * Returns true when the rest is left to the next sweep: with a storage that is away, every file would wait for a
   * timeout.
   */
  private isOver(signal: AbortSignal | undefined): boolean {
    return signal?.aborted === true || this.failures >= PATIENCE;
  }
}
