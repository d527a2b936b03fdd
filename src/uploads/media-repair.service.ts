import { basename } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { contentTypeOfFile } from '../shared/media-files.js';
import { factsOf, isPictureOf, type ImageFiles } from './image-files.js';
import { putMended, renderAgain, type MendedFile } from './image-mender.js';
import { ImageWorkshop } from './image-workshop.js';
import { Image, type ImageRow } from './image.entity.js';
import { MediaCheckService, type CheckedMedia, type LackingImage } from './media-check.service.js';
import { readStored } from './storage/read-stored.js';
import { toCheckedStream } from './storage/checked-stream.js';
import { STORAGE, type Storage, type StreamedFile } from './storage/storage.js';

/** Somewhere else than the storage that lost images may be. */
export interface LostImageSource {
  readonly kind: 'backup' | 'import';
  /** A stored file under its name; null if this source has none. */
  findFile?(name: string): Promise<Buffer | null>;
  /**
   * Fetches the original of an imported image.
   * @param origin where it came from: a path or an address
   * @returns null if it is not there any more
   */
  findOriginal?(origin: string): Promise<Buffer | null>;
  /** Opens a file that is too large to be held in memory, by its name or where it came from; null if there is none. */
  openFile?(name: string, origin: string | null): Promise<{ open(): AsyncIterable<Buffer> } | null>;
}

/** The source of a restored file. */
export type RepairSource = 'renditions' | 'backup' | 'import';

/** The result of repairing one image. */
export interface RepairedImage {
  readonly image: LackingImage;
  /** Restored files with their sources. */
  readonly mended: readonly { readonly name: string; readonly source: RepairSource }[];
  /** Files that could not be brought back. */
  readonly lost: readonly string[];
}

/** How to repair. */
export interface RepairOptions {
  readonly isDryRun?: boolean;
  readonly sources?: readonly LostImageSource[];
  readonly handleImage?: (outcome: RepairedImage) => void;
}

/** The result of a repair. */
export interface RepairedMedia extends CheckedMedia {
  /** Images that have all their files again. */
  readonly repaired: number;
}

/** Brings back files of images that a check finds missing or damaged. */
@Injectable()
export class MediaRepairService {
  constructor(
    private readonly em: EntityManager,
    private readonly checker: MediaCheckService,
    @Inject(STORAGE) private readonly storage: Storage,
    private readonly workshop: ImageWorkshop,
  ) {}

  /**
   * Checks every image and repairs it: files as they were, from the sources; then the fallback, from the imported
   * original; then the other renditions, from the fallback.
   * @throws StorageError when the storage is away
   */
  async repair({ isDryRun = false, sources = [], handleImage }: RepairOptions = {}): Promise<RepairedMedia> {
    let repaired = 0;
    const checked = await this.checker.check({
      handleLacking: async (image) => {
        const outcome = await this.mend(image, sources, isDryRun);
        if (outcome.lost.length === 0) repaired += 1;
        handleImage?.(outcome);
      },
    });
    // The stored totals are those after the repair.
    if (!isDryRun && repaired > 0) await this.checker.note({ ...checked, lacking: checked.lacking - repaired });
    return { ...checked, repaired };
  }

  private async mend(
    image: LackingImage,
    sources: readonly LostImageSource[],
    isDryRun: boolean,
  ): Promise<RepairedImage> {
    const em = this.em.fork({ disableTransactions: true });
    const row = await em.findOne(Image, { id: image.id, removedAt: null });
    const wanted = new Set([...image.missing, ...image.damaged]);
    if (row === null) return { image, mended: [], lost: [] };
    if (row.kind !== 'image') return await this.mendFile(image, row, sources, isDryRun);
    const found = new Map<string, MendedFile & { readonly source: RepairSource }>();
    const take = (files: readonly MendedFile[], source: RepairSource) => {
      for (const file of files) {
        found.set(file.name, { ...file, source });
        wanted.delete(file.name);
      }
    };
    take(await this.findFiles(row, [...wanted], sources), 'backup');
    if (wanted.has(row.name)) take(await this.findImported(row, [...wanted], sources), 'import');
    if (wanted.size > 0 && !wanted.has(row.name)) {
      const fallback = found.get(row.name)?.bytes ?? (await readStored(this.storage, row.name));
      const files = fallback && (await renderAgain(this.workshop, row, fallback, [...wanted], true).catch(() => null));
      take(files ?? [], 'renditions');
    }
    const mended = [...found.values()];
    if (!isDryRun && mended.length > 0) await putMended(this.storage, em, row, mended);
    return { image, mended: mended.map(({ name, source }) => ({ name, source })), lost: [...wanted] };
  }

  /** Brings the one file of sound or a film back, from the first source that has the very same bytes. */
  private async mendFile(
    image: LackingImage,
    { name, files, origin }: ImageRow,
    sources: readonly LostImageSource[],
    isDryRun: boolean,
  ): Promise<RepairedImage> {
    const facts = files?.[name];
    for (const source of facts === undefined ? [] : sources) {
      const found = (await source.openFile?.(name, origin ?? null)) ?? null;
      if (found === null || facts === undefined) continue;
      const file = { ...facts, open: () => found.open() };
      if (!(await isSame(file))) continue;
      if (!isDryRun) await this.storage.putStream(name, file, contentTypeOfFile(name));
      return { image, mended: [{ name, source: source.kind }], lost: [] };
    }
    return { image, mended: [], lost: [name] };
  }

  /** Files as they were, byte for byte where that is known. */
  private async findFiles(
    row: ImageFiles,
    wanted: readonly string[],
    sources: readonly LostImageSource[],
  ): Promise<MendedFile[]> {
    const files: MendedFile[] = [];
    for (const name of wanted) {
      for (const source of sources) {
        const bytes = (await source.findFile?.(name)) ?? null;
        if (bytes === null || !(await isFile(this.workshop, row, name, bytes))) continue;
        files.push({ name, bytes });
        break;
      }
    }
    return files;
  }

  /** All files anew, of the very bytes that were imported. */
  private async findImported(
    { name, origin, sourceHash }: Pick<ImageRow, 'name' | 'origin' | 'sourceHash'>,
    wanted: readonly string[],
    sources: readonly LostImageSource[],
  ): Promise<MendedFile[]> {
    if (!origin) return [];
    for (const source of sources) {
      const bytes = (await source.findOriginal?.(origin)) ?? null;
      // Another picture may be there by now.
      if (bytes === null || factsOf(bytes).sha256 !== sourceHash) continue;
      const isFallback = basename(origin) === name;
      const files = await renderAgain(this.workshop, { name }, bytes, wanted, isFallback).catch(() => null);
      if (files !== null) return files;
    }
    return [];
  }
}

/** Returns true when all bytes can be read and are those that were stored. */
async function isSame(file: StreamedFile): Promise<boolean> {
  try {
    for await (const chunk of toCheckedStream(file)) void chunk;
    return true;
  } catch {
    return false;
  }
}

async function isFile(workshop: ImageWorkshop, { files }: ImageFiles, name: string, bytes: Buffer): Promise<boolean> {
  const known = files?.[name];
  return known === undefined ? await isPictureOf(workshop, bytes, name) : factsOf(bytes).sha256 === known.sha256;
}
