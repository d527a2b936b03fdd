import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from './cleanup.js';
import { listenOnReservedPort } from './reserved-port.js';

/** The sender of the bytes in question: the client, or the service behind the proxy. */
export type Sender = 'client' | 'service';

/** When a connection is cut: as soon as that sender sends this, which the other side still gets or does not. */
export interface Cut {
  readonly from: Sender;
  readonly at: string | RegExp;
  /** True: the other side gets it and its answer is lost. False: it never arrives. */
  readonly isDelivered: boolean;
}

/**
 * A way to a service (a database, a bucket, a mail server, this product) that a test makes bad and good again. What is
 * set holds for connections that are open already and for later ones, until `open()`.
 */
export interface TcpProxy {
  /** On 127.0.0.1; the same for as long as the proxy lives. */
  readonly port: number;
  /** Connections that are open at this moment. */
  readonly connectionCount: number;
  /** Every piece arrives so much later, both ways. */
  delay(ms: number): void;
  /** Bytes pass at this rate at most, each way of each connection. */
  throttle(bytesPerSecond: number): void;
  /**
   * Connections stay open and new ones are taken, but nothing passes: on all of them, or on those whose first words
   * contain `word`. What was held back arrives after `open()`, as it does after an outage of a network.
   */
  silence(word?: string): void;
  /** The same, for each connection after that sender has sent so many bytes on it. */
  stallAfter(bytes: number, from: Sender): void;
  /** Cuts connections in the middle; resolves when it has happened for the first time. */
  cutWhen(cut: Cut): Promise<void>;
  /** Ends every connection now; new ones are taken. */
  cut(): void;
  /** The same, as a machine does that has forgotten them (RST). */
  reset(): void;
  /** Ends every connection and refuses new ones. */
  close(): Promise<void>;
  /** Everything is well again. */
  open(): Promise<void>;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** Opens a proxy in front of a service; it ends with the tests of this file. */
export async function openTcpProxy(target: Target): Promise<TcpProxy> {
  const proxy = new Proxy(target);
  await proxy.open();
  onCleanup(() => proxy.close());
  return proxy;
}

/** Throttled bytes are sent in so many pieces a second. */
const PIECES_PER_SECOND = 20;

class Proxy implements TcpProxy {
  port = 0;
  private server: Server | undefined;
  private readonly lines = new Set<Line>();
  private delayMs = 0;
  private bytesPerSecond = Infinity;
  private isHeld: (line: Line, from: Sender) => boolean = () => false;
  private cutting: (Cut & { readonly note: () => void }) | undefined;
  /** Resolves when everything is well again; for those that are held back. */
  private recovery = Promise.withResolvers<void>();

  constructor(private readonly target: Target) {}

  get connectionCount(): number {
    return this.lines.size;
  }

  delay(ms: number): void {
    this.delayMs = ms;
  }

  throttle(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  silence(word = ''): void {
    this.isHeld = (line) => line.firstWords.includes(word);
  }

  stallAfter(bytes: number, from: Sender): void {
    this.isHeld = (line, sender) => sender === from && line.passed[from] >= bytes;
  }

  cutWhen(cut: Cut): Promise<void> {
    return new Promise((resolve) => (this.cutting = { ...cut, note: resolve }));
  }

  cut(): void {
    for (const line of this.lines) line.end();
  }

  reset(): void {
    for (const line of this.lines) line.reset();
  }

  async close(): Promise<void> {
    this.cut();
    const { server } = this;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }

  async open(): Promise<void> {
    this.delayMs = 0;
    this.bytesPerSecond = Infinity;
    this.isHeld = () => false;
    this.cutting = undefined;
    this.recovery.resolve();
    this.recovery = Promise.withResolvers();
    if (this.server?.listening) return;
    // A side that has said all it had to say may still listen.
    this.server = createServer({ allowHalfOpen: true }, (client) => void this.join(client));
    this.port = await listenOnReservedPort(this.server, this.port);
  }

  private async join(client: Socket): Promise<void> {
    const service = connect({ ...this.target, allowHalfOpen: true });
    const line = new Line(client, service);
    this.lines.add(line);
    void line.over.then(() => this.lines.delete(line));
    await Promise.all([this.pass(line, 'client', client, service), this.pass(line, 'service', service, client)]);
    line.end();
  }

  private async pass(line: Line, sender: Sender, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (sender === 'client') line.firstWords ||= chunk.toString('latin1');
        if (this.delayMs > 0) await delay(this.delayMs);
        await this.deliver(line, sender, chunk, to);
      }
      to.end();
    } catch {
      // One of the two is gone, so the other one goes too, unless it still has to read what it was sent.
      if (!line.isHungUp) line.end();
    }
  }

  private async deliver(line: Line, sender: Sender, chunk: Buffer, to: Socket): Promise<void> {
    const cut = this.cutting?.from === sender && isIn(this.cutting.at, chunk) ? this.cutting : undefined;
    if (cut?.isDelivered !== false) {
      for (const piece of this.split(chunk)) {
        while (this.isHeld(line, sender) && !to.destroyed) await Promise.race([this.recovery.promise, line.over]);
        // Nobody is there any more to read it.
        if (to.destroyed) return;
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), line.over]);
        line.passed[sender] += piece.length;
        if (this.bytesPerSecond !== Infinity) await delay((1000 * piece.length) / this.bytesPerSecond);
      }
    }
    if (!cut) return;
    if (cut.isDelivered && sender === 'client') line.hangUp();
    else line.end();
    cut.note();
  }

  private split(chunk: Buffer): Buffer[] {
    const size = Math.min(chunk.length, Math.ceil(this.bytesPerSecond / PIECES_PER_SECOND));
    const count = Math.ceil(chunk.length / size);
    return Array.from({ length: count }, (_, index) => chunk.subarray(index * size, (index + 1) * size));
  }
}

/** One connection through the proxy. */
class Line {
  /** The first bytes of the client: in PostgreSQL's protocol they name the application. */
  firstWords = '';
  readonly passed: Record<Sender, number> = { client: 0, service: 0 };
  /** True when the client is gone and the service may still read what was sent. */
  isHungUp = false;
  /** Resolves when it is cut or both sides have said all. */
  readonly over: Promise<void>;
  private readonly noteEnd: () => void;

  constructor(
    private readonly client: Socket,
    private readonly service: Socket,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.noteEnd = resolve;
    for (const socket of [client, service]) socket.setNoDelay().on('error', () => undefined);
  }

  end(): void {
    this.client.destroy();
    this.service.destroy();
    this.noteEnd();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.service.resetAndDestroy();
    this.noteEnd();
  }

  hangUp(): void {
    this.isHungUp = true;
    this.client.destroy();
    this.service.end();
  }
}

function isIn(at: string | RegExp, chunk: Buffer): boolean {
  const text = chunk.toString('latin1');
  return typeof at === 'string' ? text.includes(at) : at.test(text);
}
