import { createHash, randomBytes } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { isDatabaseOutage } from '../database/database-unavailable.js';
import type { PostUseKind } from '../shared/contracts/media.js';
import { decodeEscapes } from '../shared/decode-escapes.js';
import { mediaIdOf } from '../shared/media-files.js';
import { formatMediaName, MEDIA_PATH, parseMediaName, type MediaName } from '../shared/media.js';
import { cleanFileName } from './clean-file-name.js';
import type { ImageFacts } from './image-decoder.js';
import type { RenderedImage } from './image-jobs.js';
import type { RenderedFile } from './image-renderer.js';
import { isRendition } from './exported-image.js';
import { compareSizes, factsOfAll } from './image-files.js';
import { isKnownFormat, looksLikeSvg, refuseStilled } from './image-signature.js';
import { putMended, renderAgain } from './image-mender.js';
import { ImageWorkshop, type WorkLimits } from './image-workshop.js';
import { writeUses } from './image-uses.js';
import { Image, type ImageRow } from './image.entity.js';
import { tidyUp } from './storage/delete-files.js';
import { readStored } from './storage/read-stored.js';
import { STORAGE, type Storage, type StoredFile } from './storage/storage.js';

export { ImageRejectedError } from './image-rejected.error.js';
export { findStilledFormat, refuseStilled } from './image-signature.js';
export { ImageGoneException, toHttpError } from './upload.errors.js';

/** A hosted image. */
export interface HostedImage {
  /** Address of the fallback rendition, `/media/{name}`, as posts store it. */
  readonly url: string;
  /** Pixels of the fallback rendition. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** File name of the fallback rendition. */
  readonly name: string;
  /** Bytes of all renditions together. */
  readonly bytes: number;
}

/** A hosted image, as it was just stored. */
export interface StoredImage extends HostedImage {
  /** False when the same bytes were stored before. */
  readonly isNew: boolean;
}

/** A step of storing an image, by what is waited for. */
export type StoreStep = 'database' | 'decoding' | 'storage';

/** How an image is stored. When `signal` ends it, nothing is stored. */
export interface StoreOptions extends WorkLimits {
  /** The name of the file, for people; the first one stays. */
  readonly fileName?: string;
  /** True to refuse a new animation of which the first frame alone would be kept: whoever sends it has another format for it. */
  readonly hasToMove?: boolean;
  /** Told of each step as it begins. */
  readonly handleStep?: (step: StoreStep) => void;
}

/** Takes images in and hands their renditions out. */
@Injectable()
export class UploadsService implements OnApplicationShutdown {
  /**
   * Address at which browsers read the bucket (S3_PUBLIC_URL); undefined when this server hands images out. For
   * `toPicture`.
   */
  readonly publicBase: string | undefined;
  private readonly logger = new Logger(UploadsService.name);

  constructor(
    @Inject(EntityManager) private readonly em: EntityManager,
    @Inject(STORAGE) private readonly storage: Storage,
    private readonly workshop: ImageWorkshop,
    @Inject(CONFIG) config: Config,
  ) {
    this.publicBase = config.storage.driver === 's3' ? config.storage.publicUrl : undefined;
  }

  /**
   * Checks an image as {@link storeImage} does, by decoding all of it, and stores nothing.
   * @throws ImageRejectedError
   */
  async inspectImage(bytes: Buffer): Promise<ImageFacts> {
    return await this.workshop.run({ kind: 'inspect', bytes, isStored: false });
  }

  /**
   * Draws an SVG as a PNG, which {@link storeImage} takes; other bytes stay as they are. For imports: what people upload is
   * not drawn.
   * @throws ImageRejectedError
   */
  async drawIfVector(bytes: Buffer): Promise<Buffer> {
    if (isKnownFormat(bytes) || !looksLikeSvg(bytes)) return bytes;
    return Buffer.from(await this.workshop.run({ kind: 'draw', bytes }));
  }

  /** The image to which a rendition belongs, by the name of that; null if there is none. */
  async findByRendition(name: string): Promise<HostedImage | null> {
    const media = parseMediaName(name);
    const row = media === null ? null : await this.em.fork().findOne(Image, { id: media.id, removedAt: null });
    return row === null ? null : toHostedImage(row);
  }

  /** The image that {@link storeImage} would give for these bytes; null if there is none yet. Changes nothing. */
  async findImage(bytes: Buffer, exportedAs?: string): Promise<HostedImage | null> {
    const same = await this.findSame(bytes, exportedAs);
    const row = await this.em.fork().findOne(Image, same ?? { sourceHash: hashOf(bytes), kind: 'image' });
    return row === null ? null : toHostedImage(row);
  }

  /**
   * Checks an image, re-encodes it and stores its renditions. The same bytes give the same address, however often and
   * however concurrently they come, until the image is removed.
   * @param exportedAs name of the fallback rendition that these bytes were, here or on another site: they are stored
   * as they are, under that name if it is free, or if the image of that name has lost its files
   * @param origin where an import has them from, a path or an address, to be asked again should the image be lost
   * @throws ImageRejectedError for bytes that are no acceptable image
   * @throws GateFullError when too many images wait already
   * @throws StorageError when the storage fails; nothing is left behind then, but what was written under the name of an
   * export, which waits for the sweep
   * @throws Error when the database does; files without a row are left to the sweep if the row may be there
   */
  async storeImage(
    bytes: Buffer,
    exportedAs?: string,
    origin?: string,
    options: StoreOptions = {},
  ): Promise<StoredImage> {
    const { signal, handleStep = () => undefined } = options;
    const fileName = options.fileName ?? fileNameOf(origin);
    const sourceHash = hashOf(bytes);
    const same = await this.findSame(bytes, exportedAs);
    const known = await this.wantAgain(same ?? { sourceHash, kind: 'image' }, origin, fileName);
    if (known !== null) {
      await this.mend(known, bytes, same !== null, options);
      return { ...toHostedImage(known), isNew: false };
    }

    if (options.hasToMove === true) refuseStilled(bytes);
    const { media, files } = await this.render(bytes, exportedAs, options);
    handleStep('storage');
    // Under the name of an export somebody else may store the same image at this moment: its row promises these very files.
    const removable = formatMediaName(media) === exportedAs ? [] : files;
    // Files before the row: whoever sees the row finds every file.
    await this.putAll({ files, removable }, signal);
    handleStep('database');
    const isOurs = await this.insertRow(media, sourceHash, { files, removable, origin: origin ?? null, fileName });
    if (isOurs) return { ...toHostedImage({ name: formatMediaName(media), byteSize: sizeOf(files) }), isNew: true };

    // Another process was faster; should its image have been removed since, this begins anew.
    await this.deleteAll(removable);
    return await this.storeImage(bytes, exportedAs, origin, options);
  }

  /**
   * Notes which images a text of a post shows, in the transaction of `em`, in which the post is stored already. Of a
   * `post` or a `working-copy` these are all there are from now on; of a `revision` they come on top, as a post has
   * many. Images that were never here are ignored.
   * @param addresses of hosted images, or their names; `findMediaNames` finds them
   * @throws ImageGoneException if an image was removed in the meantime
   */
  async recordUses(em: EntityManager, postId: string, kind: PostUseKind, addresses: Iterable<string>): Promise<void> {
    await writeUses(em, postId, kind, addresses, kind !== 'revision');
  }

  /**
   * Opens a rendition by its name; null if there is none.
   * @param signal ends the asking, when nobody wants it any more
   * @throws StorageError
   */
  async openRendition(name: string, signal?: AbortSignal): Promise<StoredFile | null> {
    return parseMediaName(name) === null ? null : this.storage.open(name, signal);
  }

  /** Bytes of a stored file of any kind; null if there is none. @throws StorageError */
  async sizeOf(name: string): Promise<number | null> {
    return mediaIdOf(name) === null ? null : await this.storage.sizeOf(name);
  }

  /** Opens a stored file of any kind by its name; null if there is none. @throws StorageError */
  async openFile(name: string): Promise<StoredFile | null> {
    return mediaIdOf(name) === null ? null : await this.storage.open(name);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }

  private async render(
    bytes: Buffer,
    exportedAs: string | undefined,
    { handleStep, ...limits }: StoreOptions,
  ): Promise<RenderedImage> {
    const wanted = exportedAs === undefined ? null : parseMediaName(exportedAs);
    const isFree = wanted !== null && (await this.em.fork().count(Image, { id: wanted.id })) === 0;
    handleStep?.('decoding');
    const id = randomBytes(16).toString('hex');
    return await this.workshop.run({ kind: 'render', bytes, id, exported: isFree ? wanted : null }, limits);
  }

  /** The image of that name, if these bytes are its fallback rendition, also one that was lost. */
  private async findSame(bytes: Buffer, name: string | undefined): Promise<SearchedImage | null> {
    const media = name === undefined ? null : parseMediaName(name);
    if (name === undefined || media === null) return null;
    const row = await this.em.fork().findOne(Image, { name, removedAt: null });
    if (row === null) return null;
    const known = row.files?.[name]?.sha256;
    const isSame = known === undefined ? await this.isFallback(bytes, media) : known === hashOf(bytes);
    return isSame ? { name, removedAt: null } : null;
  }

  /**
   * For an image without known facts: returns true when these are its stored bytes, or could be them where none are
   * stored.
   */
  private async isFallback(bytes: Buffer, media: MediaName): Promise<boolean> {
    const stored = await readStored(this.storage, formatMediaName(media));
    if (stored !== null) return bytes.equals(stored);
    return isRendition(bytes, await this.inspectImage(bytes), media);
  }

  /** An image, if it is there; from now on it counts as just uploaded, so that no sweep takes it. */
  private async wantAgain(
    image: SearchedImage,
    origin: string | undefined,
    fileName: string | null,
  ): Promise<ImageRow | null> {
    const em = this.em.fork();
    // Waits for a removal that is under way, and then finds nothing.
    await em.nativeUpdate(Image, { ...image, unusedSince: { $ne: null } }, { unusedSince: null });
    if (origin !== undefined) await em.nativeUpdate(Image, { ...image, origin: null }, { origin });
    if (fileName !== null) await em.nativeUpdate(Image, { ...image, fileName: null }, { fileName });
    return await em.findOne(Image, image);
  }

  /** Restores the lost files of a known image from the bytes that were uploaded again. */
  private async mend(
    image: ImageRow,
    bytes: Buffer,
    isFallback: boolean,
    { handleStep, ...limits }: StoreOptions,
  ): Promise<void> {
    handleStep?.('storage');
    // Where the storage does not say, the image counts as whole, as it did before anybody asked.
    const lack = await compareSizes(this.storage, image).catch(() => null);
    const wanted = lack === null ? [] : [...lack.missing, ...lack.damaged];
    if (wanted.length === 0) return;
    handleStep?.('decoding');
    const files = await renderAgain(this.workshop, image, bytes, wanted, isFallback, limits);
    if (files === null) return;
    handleStep?.('storage');
    await putMended(this.storage, this.em.fork({ disableTransactions: true }), image, files);
    this.logger.log({ image: image.name, files: files.length }, 'An image that had lost files has them again');
  }

  /** False if another process stored the same bytes in the meantime. */
  private async insertRow(
    media: MediaName,
    sourceHash: string,
    { files, removable, ...from }: StoredFiles & Pick<ImageRow, 'origin' | 'fileName'>,
  ): Promise<boolean> {
    try {
      const name = formatMediaName(media);
      const row = { id: media.id, name, sourceHash, byteSize: sizeOf(files), files: factsOfAll(files) };
      await this.em.fork().insert(Image, { ...row, ...from });
      return true;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return false;
      // Of an outage nobody knows whether the row is there: if it is, it finds its files, and if not, the sweep does.
      if (!isDatabaseOutage(error)) await this.deleteAll(removable);
      throw error;
    }
  }

  private async putAll({ files, removable }: StoredFiles, signal: AbortSignal | undefined): Promise<void> {
    const results = await Promise.allSettled(
      files.map((file) => this.storage.put(file.name, file.bytes, file.contentType)),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure === undefined && signal?.aborted !== true) return;
    await this.deleteAll(removable);
    throw failure === undefined ? signal?.reason : failure.reason;
  }

  /** Tidies up after a failure, which must not be hidden by a second one. */
  private async deleteAll(files: readonly RenderedFile[]): Promise<void> {
    const names = files.map(({ name }) => name);
    await tidyUp(this.storage, names, (reasons) => {
      const facts = { files: reasons.length, reason: String(reasons[0]) };
      this.logger.warn(facts, 'Files of a failed upload stay behind for the sweep');
    });
  }
}

/** Files of an image that is being stored, and those of them that nobody else can have. */
interface StoredFiles {
  readonly files: readonly RenderedFile[];
  readonly removable: readonly RenderedFile[];
}

type SearchedImage =
  | { readonly sourceHash: string; readonly kind: 'image' }
  | { readonly name: string; readonly removedAt: null };

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function sizeOf(files: readonly RenderedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes.length, 0);
}

function toHostedImage({ name, byteSize }: Pick<ImageRow, 'name' | 'byteSize'>): HostedImage {
  const media = parseMediaName(name);
  if (media === null) throw new Error(`Not the name of an image: ${name}`);
  const { width, height, isAnimated } = media;
  return { url: MEDIA_PATH + name, width, height, isAnimated, name, bytes: byteSize };
}

/** The name of the file at the end of a path or an address; null where there is none. */
function fileNameOf(origin: string | undefined): string | null {
  const last = /([^\\/?#]+)(?:[?#].*)?$/s.exec(origin ?? '')?.[1] ?? '';
  return cleanFileName(decodeEscapes(last)) || null;
}
