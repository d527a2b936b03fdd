import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { StorageConfig } from '../../config/config.js';
import { MEDIA_CACHE_CONTROL } from '../../shared/media.js';
import { assertKey, StorageError, type Storage, type StoredEntry, type StoredFile } from './storage.js';

/** The part of the configuration that this driver needs. */
export type S3Config = Extract<StorageConfig, { driver: 's3' }>;

const CONNECT_MS = 5_000;
const REQUEST_MS = 30_000;

/** Keeps files in a bucket of S3, MinIO or another server of the same protocol. */
export class S3Storage implements Storage {
  private readonly client: S3Client;

  constructor(private readonly config: S3Config) {
    this.client = new S3Client({
      ...(config.endpoint !== undefined && { endpoint: config.endpoint }),
      region: config.region,
      forcePathStyle: config.forcePathStyle,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      // The newer defaults send bodies in chunks with trailing checksums, which other servers than Amazon's store as
      // they come.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true },
    });
  }

  /** Creates the bucket if this is the first file. */
  async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    assertKey(key);
    const object = { ...this.object(key), Body: bytes, ContentType: contentType, CacheControl: MEDIA_CACHE_CONTROL };
    const put = () => this.client.send(new PutObjectCommand(object));
    const isStored = await this.attempt(put, 'NoSuchBucket');
    if (isStored !== null) return;
    const create = () => this.client.send(new CreateBucketCommand({ Bucket: this.config.bucket }));
    await this.attempt(create, 'BucketAlreadyOwnedByYou', 'BucketAlreadyExists');
    await this.attempt(put);
  }

  async open(key: string): Promise<StoredFile | null> {
    assertKey(key);
    const get = () => this.client.send(new GetObjectCommand(this.object(key)));
    const answer = await this.attempt(get, 'NoSuchKey', 'NoSuchBucket');
    if (answer === null) return null;
    if (!(answer.Body instanceof Readable) || answer.ContentLength === undefined) {
      throw new StorageError(`${this.name} sent an answer without a body for ${key}`);
    }
    return { stream: answer.Body, size: answer.ContentLength };
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.attempt(() => this.client.send(new DeleteObjectCommand(this.object(key))), 'NoSuchKey', 'NoSuchBucket');
  }

  async *list(): AsyncIterable<StoredEntry> {
    let token: string | undefined;
    do {
      const input = { Bucket: this.config.bucket, ...(token !== undefined && { ContinuationToken: token }) };
      const page = await this.attempt(() => this.client.send(new ListObjectsV2Command(input)), 'NoSuchBucket');
      for (const { Key, LastModified } of page?.Contents ?? []) {
        // A service that does not say since when it has a file is not asked to remove it for its age.
        if (Key !== undefined) yield { key: Key, storedAt: LastModified ?? new Date() };
      }
      token = page?.NextContinuationToken;
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

  /** Runs a request; null if the service answers with one of these errors, and a StorageError for all others. */
  private async attempt<T>(request: () => Promise<T>, ...expected: string[]): Promise<T | null> {
    try {
      return await request();
    } catch (cause) {
      if (!(cause instanceof S3ServiceException)) {
        throw new StorageError(`${this.name} cannot be reached: ${reasonOf(cause)}`, { cause });
      }
      if (expected.includes(cause.name)) return null;
      throw new StorageError(`${this.name} refused: ${cause.name}: ${cause.message}`, { cause });
    }
  }
}

/** Connection errors of several addresses come together, without a message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
