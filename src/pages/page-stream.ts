import type { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { PageOutput } from '../shared/contracts/pages.js';
import type { Encoding } from './accept-encoding.js';
import { CompletePage } from './complete-page.js';
import { SharedBytes } from './shared-bytes.js';

/** The status and headers of a page, which are known before its first byte. */
interface PageHead {
  readonly status: number;
  /** With an ETag, which is that of the complete page; empty where nobody is to ask for the page again. */
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
}

/**
 * A page that is being rendered: once, for any number of visitors, each of whom gets it from its beginning as it comes.
 * No visitor can hold the rendering up.
 */
export class PageStream {
  readonly status: number;
  readonly headers: PageHead['headers'];
  readonly etag: string;
  /** Resolves with the first piece; rejects if there will be none. */
  readonly begun: Promise<void>;
  /** Resolves when the rendering is over; rejects if it failed. */
  readonly whole: Promise<CompletePage>;
  private readonly plain = new SharedBytes();
  private gzipped: SharedBytes | undefined;
  private quick: Buffer | undefined;
  private wholePage: CompletePage | undefined;
  private hasStarted = false;
  private settle!: { begin(): void; finish(page: CompletePage): void; fail(error: Error): void };

  constructor(
    { status, headers }: PageHead,
    private readonly render: (output: PageOutput) => void,
  ) {
    this.status = status;
    this.headers = headers;
    this.etag = headers.etag;
    const begun = Promise.withResolvers<void>();
    const whole = Promise.withResolvers<CompletePage>();
    [this.begun, this.whole] = [begun.promise, whole.promise];
    // Those who await the promises see a failure; perhaps nobody does.
    for (const promise of [this.begun, this.whole]) promise.catch(() => undefined);
    const fail = (error: Error) => {
      begun.reject(error);
      whole.reject(error);
    };
    this.settle = { begin: begun.resolve, finish: whole.resolve, fail };
  }

  /** The whole page, if the rendering is over. */
  get complete(): CompletePage | undefined {
    return this.wholePage;
  }

  /** Begins to render, the first time it is called. */
  start(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const output = this.openOutput();
    try {
      this.render(output);
    } catch (error) {
      output.destroy(toError(error));
    }
  }

  /** The whole page in a quick gzip, made once for all who waited for it; see {@link CompletePage.gzipQuickly}. */
  get quickGzip(): Buffer | undefined {
    return (this.quick ??= this.wholePage?.gzipQuickly());
  }

  /** The body from its beginning; it breaks off if the rendering fails. */
  open(encoding: Exclude<Encoding, 'br'>): Readable {
    if (encoding === 'identity') return this.plain.open();
    this.gzipped ??= this.compress();
    return this.gzipped.open();
  }

  private openOutput(): PageOutput {
    let isOver = false;
    return {
      write: (piece) => {
        if (isOver) return;
        this.plain.write(toBuffer(piece));
        this.settle.begin();
      },
      end: () => {
        if (!isOver) this.finish();
        isOver = true;
      },
      destroy: (error) => {
        if (!isOver) this.fail(error);
        isOver = true;
      },
    };
  }

  private fail(error: Error): void {
    this.plain.fail(error);
    this.settle.fail(error);
  }

  private finish(): void {
    this.plain.end();
    const { status, headers } = this;
    this.wholePage = new CompletePage({ status, headers, body: this.plain.take() });
    this.settle.begin();
    this.settle.finish(this.wholePage);
  }

  /** Compressed as it comes; the beginning, which names the files that the page needs, does not wait for the rest. */
  private compress(): SharedBytes {
    const bytes = new SharedBytes();
    const gzip = createGzip({ level: 1 });
    gzip.on('data', (piece: Buffer) => bytes.write(piece));
    gzip.on('end', () => bytes.end());
    gzip.on('error', (error) => bytes.fail(error));
    const source = this.plain.open();
    source.once('data', () => gzip.flush(constants.Z_SYNC_FLUSH));
    source.on('error', (error) => gzip.destroy(error));
    source.pipe(gzip);
    return bytes;
  }
}

/** The same bytes, not a copy of them. */
function toBuffer(piece: Uint8Array | string): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
