import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { IMAGE_MAX_BYTES } from '../shared/limits.js';
import type { LostImageSource } from '../uploads/media-repair.service.js';
import { ImageRejectedError, UploadsService } from '../uploads/uploads.service.js';
import { ImageUnavailableError } from './images/image-unavailable.error.js';
import { RemoteImageFetcher } from './images/remote-image-fetcher.js';

/** Gets images once more from where an import took them, for `media repair`. */
@Injectable()
export class ImportedOriginalsService {
  constructor(private readonly uploads: UploadsService) {}

  /**
   * @param options isFetching: false asks no other machine; privateHosts: hosts that may be at private addresses, as
   * for the import itself (decision 25)
   */
  open({
    isFetching,
    privateHosts,
  }: {
    readonly isFetching: boolean;
    readonly privateHosts: readonly string[];
  }): LostImageSource {
    const fetcher = isFetching ? new RemoteImageFetcher({ privateHosts }) : null;
    return {
      kind: 'import',
      findOriginal: async (origin) => {
        const bytes = await (/^https?:/i.test(origin) ? fetchImage(origin) : readImage(origin));
        return bytes === null ? null : await this.drawIfVector(bytes);
      },
      openFile: async (_name, origin) => (origin === null ? null : await openFile(origin)),
    };

    async function fetchImage(url: string): Promise<Buffer | null> {
      try {
        return fetcher === null ? null : await fetcher.fetch(url);
      } catch (error) {
        if (error instanceof ImageUnavailableError) return null;
        throw error;
      }
    }
  }

  /** An import takes the picture that is made of a drawing (SVG) for the original; null where none can be made. */
  private async drawIfVector(bytes: Buffer): Promise<Buffer | null> {
    try {
      return await this.uploads.drawIfVector(bytes);
    } catch (error) {
      if (error instanceof ImageRejectedError) return null;
      throw error;
    }
  }
}

/** Opens sound or a film, which come from files only. */
async function openFile(path: string): Promise<{ open(): Readable } | null> {
  const facts = await stat(path).catch(() => null);
  return facts?.isFile() === true ? { open: () => createReadStream(path) } : null;
}

async function readImage(path: string): Promise<Buffer | null> {
  const facts = await stat(path).catch(() => null);
  return facts?.isFile() === true && facts.size < IMAGE_MAX_BYTES ? await readFile(path).catch(() => null) : null;
}
