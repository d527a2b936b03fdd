import { HttpException } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { isDatabaseFull, isDatabaseOutage } from '../database/database-unavailable.js';
import { isDiskNearlyFull } from './disk-full.js';

/** A code for programs of something that the product needs and does not have just now. */
export type OutageCode = 'database_unavailable' | 'storage_unavailable' | 'disk_full';

const SENTENCES: Readonly<Record<OutageCode, string>> = {
  database_unavailable: 'The database does not answer just now. Try again in a moment.',
  storage_unavailable: 'The image storage does not answer just now. Try again in a moment.',
  disk_full: 'There is no room left on the disk of the server, so nothing was saved. Tell whoever runs the site.',
};

/** Thrown when the database, the storage or the disk keeps the product from its work. */
export abstract class OutageException extends HttpException {
  protected constructor(
    status: number,
    readonly code: OutageCode,
    cause: unknown,
    sentence = SENTENCES[code],
  ) {
    super({ code, message: sentence }, status, { cause });
    this.message = sentence;
  }

  /** Says the same to people who do not know what a database is. */
  abstract inWords(sentence: string): OutageException;
}

/** Something that the product needs is away or hangs: 503, answered with Retry-After. */
export class UnavailableException extends OutageException {
  constructor(
    override readonly code: Exclude<OutageCode, 'disk_full'>,
    cause?: unknown,
    sentence?: string,
  ) {
    super(503, code, cause, sentence);
  }

  override inWords(sentence: string): UnavailableException {
    return new UnavailableException(this.code, this.cause, sentence);
  }
}

/** The disk is full: 507. Nothing was stored. */
export class DiskFullException extends OutageException {
  constructor(cause?: unknown, sentence?: string) {
    super(507, 'disk_full', cause, sentence);
  }

  override inWords(sentence: string): DiskFullException {
    return new DiskFullException(this.cause, sentence);
  }
}

/**
 * Translates an error of the database into the one to answer; other errors are returned unchanged.
 * @param config tells apart an embedded database that is down because its disk is full: it ends when its log has no
 * room
 */
export function toAnswerable(error: unknown, config?: Pick<Config, 'database' | 'dataDir'>): unknown {
  if (error instanceof HttpException) return error;
  if (isDatabaseFull(error)) return new DiskFullException(error);
  if (!isDatabaseOutage(error)) return error;
  const isFull = config?.database.url === 'embedded' && isDiskNearlyFull(config.dataDir);
  return isFull ? new DiskFullException(error) : new UnavailableException('database_unavailable', error);
}
