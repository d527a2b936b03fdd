import { Inject, Injectable, type HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { UnavailableException } from '../http/outage.errors.js';
import { IMAGE_MAX_BYTES } from '../shared/limits.js';
import { whenAborted } from '../shared/when-aborted.js';
import { readUpload } from './read-upload.js';
import { UploadAbandonedException, UploadsBusyException } from './upload.errors.js';
import { UploadsService, type StoredImage, type StoreStep } from './uploads.service.js';

/** Uploads that arrive or wait, and the bytes that they may have together: four of the largest. */
const MAX_COUNT = 16;
const MAX_BYTES = 4 * IMAGE_MAX_BYTES;
/** Parts of the time for an answer: for sending it, and for storing what was decoded. */
const SENDING_MS = 200;
const STORING_MS = 400;

/** The answer to an upload that could not go on in time, by the step that it was waiting for. */
const LATE: Readonly<Record<StoreStep, () => HttpException>> = {
  database: () => new UnavailableException('database_unavailable'),
  decoding: () => new UploadsBusyException(),
  storage: () => new UnavailableException('storage_unavailable'),
};

/** Takes uploads in: so many at once, each answered in time, whatever it waits for. */
@Injectable()
export class UploadIntake {
  private readonly underWay = { count: 0, bytes: 0 };
  private readonly answerMs: number;

  constructor(
    private readonly uploads: UploadsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.answerMs = config.uploads.answerMs;
  }

  /**
   * Reads an image from a request and stores it.
   * @throws HttpException for what is no upload, comes at once with too many others or takes too long
   * @throws ImageRejectedError, StorageError as `UploadsService.storeImage` does
   */
  async take(request: FastifyRequest, { raw }: FastifyReply): Promise<StoredImage> {
    const leave = this.enter(sizeOf(request));
    let storing: Promise<unknown> = Promise.resolve();
    try {
      const { bytes, fileName } = await readUpload(request);
      const ending = new AbortController();
      let step: StoreStep = 'database';
      const limit = setTimeout(() => ending.abort(LATE[step]()), this.answerMs - SENDING_MS);
      const hangUp = () => ending.abort(new UploadAbandonedException());
      raw.once('close', hangUp);
      const stored = this.uploads.storeImage(bytes, undefined, undefined, {
        ...(fileName === undefined ? {} : { fileName }),
        hasToMove: true,
        workMs: this.answerMs - SENDING_MS - STORING_MS,
        signal: ending.signal,
        handleStep: (next) => (step = next),
      });
      storing = stored;
      try {
        return await Promise.race([stored, whenAborted(ending.signal)]);
      } finally {
        clearTimeout(limit);
        raw.off('close', hangUp);
      }
    } finally {
      // What could not be stored in time is held until that is given up.
      void Promise.allSettled([storing]).then(leave);
    }
  }

  /** @returns to be called when it is over */
  private enter(bytes: number): () => void {
    const { underWay } = this;
    if (underWay.count >= MAX_COUNT || underWay.bytes + bytes > MAX_BYTES) throw new UploadsBusyException();
    underWay.count += 1;
    underWay.bytes += bytes;
    return () => {
      underWay.count -= 1;
      underWay.bytes -= bytes;
    };
  }
}

/** The most bytes that will be held of it. */
function sizeOf({ headers }: FastifyRequest): number {
  const announced = Number(headers['content-length'] ?? IMAGE_MAX_BYTES);
  return Math.min(announced, IMAGE_MAX_BYTES);
}
