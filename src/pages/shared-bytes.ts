import { Readable } from 'node:stream';

/** Bytes that come piece by piece, for any number of readers, each of whom gets them from the beginning. */
export class SharedBytes {
  /** Resolves with all of them; rejects if they broke off. */
  readonly whole: Promise<Buffer>;
  private readonly pieces: Uint8Array[] = [];
  private readonly readers = new Set<Readable>();
  private readonly settle: { resolve(bytes: Buffer): void; reject(error: unknown): void };
  private isOver = false;
  private failure: Error | undefined;

  constructor() {
    const { promise, ...settle } = Promise.withResolvers<Buffer>();
    this.whole = promise;
    this.settle = settle;
    // Maybe nobody waits for it.
    promise.catch(() => undefined);
  }

  write(piece: Uint8Array): void {
    this.pieces.push(piece);
    for (const reader of this.readers) reader.push(piece);
  }

  end(): void {
    this.isOver = true;
    for (const reader of this.readers) reader.push(null);
    this.readers.clear();
    this.settle.resolve(this.take());
  }

  /** Readers see the connection break rather than an end. */
  fail(error: Error): void {
    this.failure = error;
    for (const reader of this.readers) reader.destroy(error);
    this.readers.clear();
    this.settle.reject(error);
  }

  /** Returns all bytes received so far in one piece. */
  take(): Buffer {
    if (this.pieces.length !== 1) this.pieces.splice(0, this.pieces.length, Buffer.concat(this.pieces));
    const [bytes] = this.pieces as [Uint8Array];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Readers share the pieces, so one who is slow takes no memory of its own. */
  open(): Readable {
    const reader: Readable = new Readable({
      read: () => undefined,
      destroy: (error, done) => {
        this.readers.delete(reader);
        done(error);
      },
    });
    for (const piece of this.pieces) reader.push(piece);
    if (this.failure) reader.destroy(this.failure);
    else if (this.isOver) reader.push(null);
    else this.readers.add(reader);
    return reader;
  }
}
