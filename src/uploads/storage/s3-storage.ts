import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { StorageConfig } from '../../config/config.js';
import { S3_CALL_MS } from '../../config/time-limits.js';
import { MEDIA_CACHE_CONTROL } from '../../shared/media.js';
import {
  formatByteRange,
  parseContentRange,
  RangeNotSatisfiableError,
  resolveByteRange,
  type ByteRange,
} from './byte-range.js';
import { toCheckedStream } from './checked-stream.js';
import { beginReading } from './limit-silence.js';
import { S3HttpHandler, type HandlerLimits } from './s3-http-handler.js';
import {
  assertKey,
  StorageError,
  StorageFullError,
  type Storage,
  type StoredEntry,
  type StoredFile,
  type StreamedFile,
} from './storage.js';

/** The part of the configuration that this driver needs. */
export type S3Config = Extract<StorageConfig, { driver: 's3' }>;

/** Options of each request. */
interface CallOptions {
  readonly requestTimeout: number;
  readonly abortSignal?: AbortSignal;
}

/** Before the second attempt and the third, as long as there is time for them. */
const PAUSES_MS = [100, 400];
const ignore = () => undefined;
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
/** Error codes of a full bucket: MinIO's, and those of others. */
const FULL = /StorageFull|QuotaExceeded/;

/** Keeps files in a bucket of S3, MinIO or another server of the same protocol. */
export class S3Storage implements Storage {
  private readonly client: S3Client;
  private readonly handler: S3HttpHandler;
  private readonly callMs: number;

  /** @param limits others than those of the product, for tests */
  constructor(
    private readonly config: S3Config,
    limits?: HandlerLimits,
  ) {
    this.callMs = limits?.callMs ?? S3_CALL_MS;
    this.handler = new S3HttpHandler(limits);
    this.client = new S3Client({
      ...(config.endpoint !== undefined && { endpoint: config.endpoint }),
      region: config.region,
      forcePathStyle: config.forcePathStyle,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      // The newer defaults send bodies in chunks with trailing checksums, which other servers than Amazon's store as
      // they come.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: this.handler,
      expectContinueHeader: false,
      // It would write to the console that a stream is not sent twice: attempts open their own.
      logger: SILENT,
      // Attempts are counted here, as all of them share one limit.
      maxAttempts: 1,
    });
  }

  /** Connections to the bucket that are busy, and requests that wait for one; 0 when nothing is under way. */
  get inUse(): number {
    return this.handler.inUse;
  }

  /** Creates the bucket if this is the first file. */
  async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    assertKey(key);
    const object = { ...this.object(key), Body: bytes, ContentType: contentType, CacheControl: MEDIA_CACHE_CONTROL };
    await this.putWith((options) => this.client.send(new PutObjectCommand(object), options));
  }

  /** The bucket is told the checksum first, and refuses what differs; what breaks off before its length is refused as well. */
  async putStream(key: string, file: StreamedFile, contentType: string): Promise<void> {
    assertKey(key);
    const object = { ...this.object(key), ContentLength: file.size, ContentType: contentType };
    await this.putWith(async (options) => {
      const body = toCheckedStream(file);
      try {
        const command = new PutObjectCommand({ ...object, Body: body, CacheControl: MEDIA_CACHE_CONTROL });
        command.middlewareStack.add(
          (next) => (args) => {
            Object.assign((args.request as { headers: object }).headers, { 'x-amz-content-sha256': file.sha256 });
            return next(args);
          },
          { step: 'build' },
        );
        return await this.client.send(command, options);
      } finally {
        body.destroy();
      }
    });
  }

  private async putWith(put: (options: CallOptions) => Promise<unknown>): Promise<void> {
    const isStored = await this.attempt(put, ['NoSuchBucket']);
    if (isStored !== null) return;
    const bucket = { Bucket: this.config.bucket };
    const create = (options: CallOptions) => this.client.send(new CreateBucketCommand(bucket), options);
    await this.attempt(create, ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);
    await this.attempt(put);
  }

  async open(key: string, signal?: AbortSignal, range?: ByteRange): Promise<StoredFile | null> {
    assertKey(key);
    // Not every bucket understands what is counted from the end.
    const wanted = range?.first === null ? await this.countFromStart(key, range) : range;
    if (wanted === null) return null;
    const object = { ...this.object(key), ...(wanted === undefined ? {} : { Range: formatByteRange(wanted) }) };
    const get = async (options: CallOptions) => {
      const begun = performance.now();
      const answer = await this.client.send(new GetObjectCommand(object), options);
      const { Body: stream, ContentLength: size } = answer;
      if (!(stream instanceof Readable))
        throw new StorageError(`${this.name} sent an answer without a body for ${key}`);
      const part = parseContentRange(answer.ContentRange);
      const isUnknownPart = answer.$metadata.httpStatusCode === 206 && part === null;
      if (size === undefined || isUnknownPart) {
        // Its connection would wait for a reader for ever.
        stream.destroy();
        throw new StorageError(`${this.name} did not say which bytes of ${key} it sent`);
      }
      const file = { stream, size, ...(part === null ? {} : { part }) };
      // Until a byte is there, nobody was promised a file.
      await within(options.requestTimeout - (performance.now() - begun), file.stream, beginReading(file.stream));
      return file;
    };
    try {
      return await this.attempt(get, ['NoSuchKey', 'NoSuchBucket'], signal);
    } catch (error) {
      const { cause } = error as Error;
      const isBeyond = cause instanceof S3ServiceException && cause.$metadata.httpStatusCode === 416;
      const total = isBeyond ? await this.sizeOf(key) : null;
      throw total === null ? error : new RangeNotSatisfiableError(total);
    }
  }

  private async countFromStart(key: string, range: ByteRange): Promise<ByteRange | null> {
    const total = await this.sizeOf(key);
    if (total === null) return null;
    const { start, end } = resolveByteRange(range, total);
    return { first: start, last: end };
  }

  async sizeOf(key: string): Promise<number | null> {
    assertKey(key);
    const head = (options: CallOptions) => this.client.send(new HeadObjectCommand(this.object(key)), options);
    // Its answers have no body that could say more.
    const answer = await this.attempt(head, ['NotFound', 'NoSuchKey', 'NoSuchBucket']);
    return answer === null ? null : (answer.ContentLength ?? 0);
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    const remove = (options: CallOptions) => this.client.send(new DeleteObjectCommand(this.object(key)), options);
    await this.attempt(remove, ['NoSuchKey', 'NoSuchBucket']);
  }

  async *list(): AsyncIterable<StoredEntry> {
    let token: string | undefined;
    do {
      const input = { Bucket: this.config.bucket, ...(token !== undefined && { ContinuationToken: token }) };
      const list = (options: CallOptions) => this.client.send(new ListObjectsV2Command(input), options);
      const page = await this.attempt(list, ['NoSuchBucket']);
      for (const { Key, LastModified, Size } of page?.Contents ?? []) {
        // A service that does not say since when it has a file is not asked to remove it for its age.
        if (Key !== undefined) yield { key: Key, storedAt: LastModified ?? new Date(), size: Size ?? 0 };
      }
      // Some services name an empty one at the end, which would begin the list again.
      token = page?.IsTruncated ? page.NextContinuationToken || undefined : undefined;
    } while (token !== undefined);
  }

  /** A file is in the bucket whole or not at all. */
  async deleteUnfinished(): Promise<void> {}

  async close(): Promise<void> {
    this.client.destroy();
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.config.bucket, Key: key };
  }

  private get name(): string {
    return `The image storage (bucket ${this.config.bucket} at ${this.config.endpoint ?? 'Amazon S3'})`;
  }

  /**
   * Sends a request, and again while there is time if that may help.
   * @returns null if the service answers with one of these errors
   * @throws StorageError for all others
   */
  private async attempt<T>(
    request: (options: CallOptions) => Promise<T>,
    expected: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<T | null> {
    const end = performance.now() + this.callMs;
    for (let attempt = 0; ; attempt += 1) {
      const requestTimeout = end - performance.now();
      try {
        return await request({ requestTimeout, ...(signal === undefined ? {} : { abortSignal: signal }) });
      } catch (cause) {
        if (cause instanceof S3ServiceException && expected.includes(cause.name)) return null;
        const pauseMs = PAUSES_MS[attempt];
        const isLast = pauseMs === undefined || performance.now() + pauseMs >= end || signal?.aborted === true;
        if (isLast || !mayPass(cause)) throw this.describe(cause);
        await pause(pauseMs);
        // On a busy machine a pause takes longer than it should.
        if (performance.now() >= end) throw this.describe(cause);
      }
    }
  }

  private describe(cause: unknown): StorageError {
    if (cause instanceof StorageError) return cause;
    if (!(cause instanceof S3ServiceException)) {
      return new StorageError(`${this.name} cannot be reached: ${reasonOf(cause)}`, { cause });
    }
    const reason = `${this.name} refused: ${cause.name}: ${cause.message}`;
    const isFull = FULL.test(cause.name) || cause.$metadata.httpStatusCode === 507;
    return isFull ? new StorageFullError(reason, { cause }) : new StorageError(reason, { cause });
  }
}

/**
 * Returns true when another attempt may succeed: after network failures, and after errors that the service calls
 * temporary.
 */
function mayPass(error: unknown): boolean {
  if (error instanceof StorageError) return false;
  if (!(error instanceof S3ServiceException)) return true;
  const status = error.$metadata.httpStatusCode ?? 500;
  return (status >= 500 && status !== 507) || status === 429 || error.name === 'RequestTimeTooSkewed';
}

/** Waits for a stream to begin, and destroys it if it does not in time. */
async function within(limitMs: number, stream: Readable, begun: Promise<void>): Promise<void> {
  const timer = setTimeout(() => stream.destroy(new Error('not a byte came in time')), Math.max(0, limitMs));
  try {
    await begun;
  } finally {
    clearTimeout(timer);
  }
}

/** Connection errors of several addresses come together, without a message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
