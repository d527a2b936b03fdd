import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { isDatabaseOutage } from '../database/database-unavailable.js';
import { CAPTIONS_MAX_BYTES, PLAYABLE_MAX_BYTES } from '../shared/limits.js';
import { MEDIA_PATH } from '../shared/media.js';
import {
  contentTypeOfFile,
  kindOfExtension,
  parsePlayableName,
  type PlayableExtension,
  type PlayableName,
} from '../shared/media-files.js';
import { cleanFileName } from './clean-file-name.js';
import { Image, type ImageRow } from './image.entity.js';
import { detectPlayable, isCaptions } from './playable-format.js';
import type { ByteRange } from './storage/byte-range.js';
import { tidyUp } from './storage/delete-files.js';
import { STORAGE, type Storage, type StoredFile } from './storage/storage.js';

/** A file on this machine that posts can play, or captions of one. */
export interface PlayableFile {
  readonly path: string;
  readonly extension: PlayableExtension;
  readonly kind: PlayableName['kind'];
  /** Bytes. */
  readonly size: number;
  /** Checksum of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** Thrown for a file that posts cannot play; the message goes on after 'it'. */
export class NotPlayableError extends Error {
  override readonly name = 'NotPlayableError';
}

/** Keeps sound, films and their captions, as they came: nothing of them is encoded anew (decision 98). */
@Injectable()
export class PlayableFilesService {
  private readonly logger = new Logger(PlayableFilesService.name);

  constructor(
    private readonly em: EntityManager,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Looks at a file, by what is in it, and reads all of it for its checksum.
   * @param isForCaptions true for captions, false for what is played
   * @throws NotPlayableError
   */
  async inspect(path: string, isForCaptions = false): Promise<PlayableFile> {
    const maxBytes = isForCaptions ? CAPTIONS_MAX_BYTES : PLAYABLE_MAX_BYTES;
    const file = await open(path, 'r').catch(() => {
      throw new NotPlayableError('cannot be read');
    });
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw new NotPlayableError(`is larger than ${maxBytes / 1024 / 1024} MB`);
      const extension = isForCaptions ? await detectCaptions(file, size) : await detectPlayable(file, size);
      if (extension === null) throw new NotPlayableError(NOT_PLAYABLE[isForCaptions ? 'captions' : 'played']);
      const hash = createHash('sha256');
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer);
      return { path, extension, kind: kindOfExtension(extension), size, sha256: hash.digest('hex') };
    } finally {
      await file.close();
    }
  }

  /** The address of the file that {@link store} would give for these bytes; null if there is none yet. */
  async find({ sha256, kind }: PlayableFile): Promise<string | null> {
    const row = await this.em.fork().findOne(Image, { sourceHash: sha256, kind });
    return row === null ? null : MEDIA_PATH + row.name;
  }

  /**
   * Stores a file while it is read, once however often it comes, until it is removed. One that `posts export` has
   * written gets its name back, if that is free.
   * @returns its address
   * @throws StorageError when the storage fails, or the file is not the same any more; nothing is left behind then, but
   * what was written under the name of an export, which waits for the sweep
   */
  async store(file: PlayableFile): Promise<string> {
    const known = await this.wantAgain(file);
    if (known !== null) {
      // Where the storage does not say, the file counts as whole.
      const size = await this.storage.sizeOf(known.name).catch(() => file.size);
      if (size !== file.size) await this.put(known.name, file);
      return MEDIA_PATH + known.name;
    }
    const name = await this.freeName(file);
    // The file before the row: whoever sees the row finds the file.
    try {
      await this.put(name, file);
    } catch (error) {
      // Some buckets keep what was cut off.
      await this.tidyUp(name, file);
      throw error;
    }
    if (await this.insertRow(name, file)) return MEDIA_PATH + name;
    // Another process was faster; should its file have been removed since, this begins anew.
    await this.tidyUp(name, file);
    return await this.store(file);
  }

  /**
   * Opens a stored file, or a part of it; null if there is none.
   * @param signal ends the asking, when nobody wants it any more
   * @throws RangeNotSatisfiableError
   * @throws StorageError
   */
  async open(name: string, signal: AbortSignal, range: ByteRange | null): Promise<StoredFile | null> {
    if (parsePlayableName(name) === null) return null;
    return await this.storage.open(name, signal, range ?? undefined);
  }

  private async put(name: string, { path, size, sha256 }: PlayableFile): Promise<void> {
    const openFile = () => createReadStream(path);
    await this.storage.putStream(name, { size, sha256, open: openFile }, contentTypeOfFile(name));
  }

  /** The name that an export gave the file if no other file has it; a new one for every other file. */
  private async freeName({ path, extension }: PlayableFile): Promise<string> {
    const exported = parsePlayableName(basename(path));
    const isFree = exported?.extension === extension && (await this.em.fork().count(Image, { id: exported.id })) === 0;
    return isFree ? basename(path) : `${randomBytes(16).toString('hex')}.${extension}`;
  }

  /** A file, if it is there; from now on it counts as just stored, so that no sweep takes it. */
  private async wantAgain({ sha256, kind, path }: PlayableFile): Promise<ImageRow | null> {
    const em = this.em.fork();
    const same = { sourceHash: sha256, kind };
    // Waits for a removal that is under way, and then finds nothing.
    await em.nativeUpdate(Image, { ...same, unusedSince: { $ne: null } }, { unusedSince: null });
    await em.nativeUpdate(Image, { ...same, origin: null }, { origin: path });
    return await em.findOne(Image, same);
  }

  /** False if another process stored the same bytes in the meantime. */
  private async insertRow(name: string, file: PlayableFile): Promise<boolean> {
    const { path, size, sha256, kind } = file;
    const id = parsePlayableName(name)?.id ?? '';
    const facts = { byteSize: size, files: { [name]: { size, sha256 } }, sourceHash: sha256 };
    const from = { origin: path, fileName: cleanFileName(basename(path)) || null };
    try {
      await this.em.fork().insert(Image, { id, name, kind, ...facts, ...from });
      return true;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return false;
      // Of an outage nobody knows whether the row is there: if it is, it finds its file, and if not, the sweep does.
      if (!isDatabaseOutage(error)) await this.tidyUp(name, file);
      throw error;
    }
  }

  private async tidyUp(name: string, { path }: PlayableFile): Promise<void> {
    // Under the name of an export somebody else may store the same file at this moment: its row promises this very one.
    if (name === basename(path)) return;
    await tidyUp(this.storage, [name], (reasons) => {
      this.logger.warn(
        { file: name, reason: String(reasons[0]) },
        'A file that was not stored stays behind for the sweep',
      );
    });
  }
}

const NOT_PLAYABLE = {
  captions: 'is not captions in WebVTT',
  played: 'is not sound or a film that browsers play, or is cut off',
} as const;

async function detectCaptions(file: Awaited<ReturnType<typeof open>>, size: number): Promise<'vtt' | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return isCaptions(buffer.subarray(0, bytesRead)) ? 'vtt' : null;
}
