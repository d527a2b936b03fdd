import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib';
import type { Encoding } from './accept-encoding.js';

/** A complete answer, the same for everyone who asks for its address. */
export interface PageParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Less than this fits into the packet that is sent anyway. */
const MIN_COMPRESSED_BYTES = 1024;
/** A page that changes within this time is not worth the processor time of the best compression. */
const BROTLI_AFTER_MS = 1000;
/** Beyond this the best compression would take seconds, and others would wait for a quick one. */
const BEST_QUALITY_BYTES = 512 * 1024;
/** Memory of an entry beside its bodies: headers, bookkeeping. */
const OVERHEAD_BYTES = 2048;

const compressors: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify<Buffer, object, Buffer>(gzip)(body, { level: body.length > BEST_QUALITY_BYTES ? 6 : 9 }),
  br: (body) => {
    const compress = () => compressBest(body);
    // One that failed must not hold up the others.
    brotliQueue = brotliQueue.then(compress, compress);
    return brotliQueue;
  },
};

/** One page at a time, so that compressing never takes more than one of the threads that also read files. */
let brotliQueue: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));

function compressBest(body: Buffer): Promise<Buffer> {
  const quality = body.length > BEST_QUALITY_BYTES ? 6 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return promisify<Buffer, object, Buffer>(brotliCompress)(body, { params });
}

/** A page with its encodings, each made at most once, outside the event loop, when the first visitor wants it. */
export class CompletePage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Weak (RFC 9110, section 8.8.1): it is the same for all encodings. Empty for a page that was made for one request. */
  readonly etag: string;
  /** Called with the bytes that an encoding adds. */
  handleGrowth: (bytes: number) => void = () => undefined;
  private readonly bodies = new Map<Encoding, Buffer>();
  private readonly pending = new Map<Encoding, Promise<unknown>>();
  private readonly madeAt = Date.now();

  constructor({ status, headers, body }: PageParts) {
    this.status = status;
    const { etag = etagOf(body), ...others } = headers;
    this.etag = etag;
    // A redirect has no body by which to know it.
    this.headers = etag === '' ? others : status === 200 ? { ...others, etag } : headers;
    this.bodies.set('identity', body);
  }

  /** Bytes of memory that the page takes. */
  get bytes(): number {
    return [...this.bodies.values()].reduce((sum, body) => sum + body.length, OVERHEAD_BYTES);
  }

  /** The body in this encoding, which {@link choose} or {@link prepare} named. */
  bodyIn(encoding: Encoding): Buffer {
    const body = this.bodies.get(encoding);
    if (!body) throw new Error(`The page is not encoded as ${encoding}`);
    return body;
  }

  /**
   * The best of these encodings that can be sent at once; brotli is begun for those who come later. Undefined when the
   * visitor had better wait: see {@link prepare}.
   */
  choose(accepted: readonly Encoding[]): Encoding | undefined {
    if (this.isSmall) return 'identity';
    for (const encoding of accepted) {
      if (this.bodies.has(encoding)) return encoding;
      // It is quick, and without it several times the bytes would be sent.
      if (encoding === 'gzip') return undefined;
      if (Date.now() - this.madeAt >= BROTLI_AFTER_MS) this.encode(encoding).catch(() => undefined);
    }
    return undefined;
  }

  /** Chooses an encoding, waiting for a quick one, or for the only accepted one. */
  async prepare(accepted: readonly Encoding[]): Promise<Encoding> {
    const present = this.choose(accepted);
    if (present !== undefined) return present;
    const encoding = accepted.includes('gzip') ? 'gzip' : 'br';
    await this.encode(encoding);
    return encoding;
  }

  /**
   * Compresses the body with gzip at once, in a third of the time of the best: for a visitor for whom it was rendered.
   * Undefined for a body for which everybody else would have to wait.
   */
  gzipQuickly(): Buffer | undefined {
    const body = this.bodyIn('identity');
    return body.length > BEST_QUALITY_BYTES ? undefined : gzipSync(body, { level: 1 });
  }

  /** Begins to make the best gzip, for those who come later. */
  beginGzip(): void {
    this.encode('gzip').catch(() => undefined);
  }

  /** Resolves when gzip is there or has failed, if it was begun; brotli takes too long to wait for. */
  async gzipped(): Promise<void> {
    await this.pending.get('gzip')?.catch(() => undefined);
  }

  private get isSmall(): boolean {
    return this.bodyIn('identity').length < MIN_COMPRESSED_BYTES;
  }

  private encode(encoding: Encoding): Promise<unknown> {
    if (encoding === 'identity') return Promise.resolve();
    const begun = this.pending.get(encoding);
    if (begun) return begun;
    const task = compressors[encoding](this.bodyIn('identity')).then((bytes) => {
      this.bodies.set(encoding, bytes);
      this.handleGrowth(bytes.length);
    });
    // Those who await the task see a failure; perhaps nobody does.
    task.catch(() => this.pending.delete(encoding));
    this.pending.set(encoding, task);
    return task;
  }
}

/** Returns a weak tag for content. */
export function etagOf(content: Buffer | string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
}

/** Returns true when the visitor's copy is still current: If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function isMatch(
  ifNoneMatch: string | undefined,
  { status, etag }: Pick<CompletePage, 'status' | 'etag'>,
): boolean {
  if (!ifNoneMatch || status !== 200 || etag === '') return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}
