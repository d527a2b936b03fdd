import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificates.js';
import { onCleanup } from './cleanup.js';
import { listenOnReservedPort } from './reserved-port.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';

/** A mail that the sink has accepted. */
export interface ReceivedMail {
  /** With angle brackets. */
  readonly messageId: string;
  readonly from: string;
  /** Addresses of the envelope, which is where mail really goes. */
  readonly to: readonly string[];
  /** Addresses of the To header. */
  readonly toHeader: readonly string[];
  /** Addresses of the Reply-To header. */
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Message-IDs of the References header, the oldest first; the last is that of In-Reply-To. */
  readonly references: readonly string[];
  readonly inReplyTo: string | undefined;
  /** Names of the headers, lower case, in order. */
  readonly headerNames: readonly string[];
  /** The first address in the text that has a query, or undefined. */
  readonly link: string | undefined;
  /** The code to type in, or undefined. */
  readonly code: string | undefined;
}

/**
 * Behavior of the sink: accept mails, refuse the recipient for good (550), take no mail of this site (554), put the
 * recipient off (450), never answer to the recipient, postpone the mail (451), read the mail and stay silent until told otherwise, or read the mail and cut the connection instead of answering.
 */
export type SinkBehavior = 'accept' | 'refuse' | 'deny' | 'greylist' | 'silent' | 'postpone' | 'hang' | 'cut';

/** A mail server for tests, which keeps what it gets. */
export interface SmtpSink {
  /** For SMTP_URL. */
  readonly url: string;
  /** All that was accepted, in order. */
  readonly mails: readonly ReceivedMail[];
  /** Mails offered so far, accepted or not. */
  readonly attempts: number;
  /** The Message-IDs of the mails that were read to the end, accepted or not, in order. */
  readonly offeredIds: readonly string[];
  /** From now on, to all or to mails for one address. */
  behave(behavior: SinkBehavior, address?: string): void;
  /** The oldest mail that nobody has taken yet; waits for it. */
  nextMail(): Promise<ReceivedMail>;
  /** The same, of the mails to that address. */
  mailTo(address: string): Promise<ReceivedMail>;
  /** Resolves when so many mails were offered in all. */
  attempted(count: number): Promise<void>;
  /** Goes down; nobody else takes its place. */
  stop(): Promise<void>;
  /** Comes back at the same address. */
  start(): Promise<void>;
}

/**
 * Starts a real SMTP server on a free port; it ends with the tests of this file.
 * @param certificate of localhost, for TLS from the start
 */
export async function startSmtpSink(certificate?: Certificate): Promise<SmtpSink> {
  const sink = new Sink(certificate);
  await sink.start();
  onCleanup(() => sink.stop());
  return sink;
}

class Sink implements SmtpSink {
  readonly mails: ReceivedMail[] = [];
  readonly offeredIds: string[] = [];
  attempts = 0;
  private readonly taken = new Set<ReceivedMail>();
  // A test may wait for any number of mails at once.
  private readonly events = new EventEmitter().setMaxListeners(0);
  private behavior: SinkBehavior = 'accept';
  private readonly exceptions = new Map<string, SinkBehavior>();
  private readonly sockets = new Map<number, Socket>();
  private server: SMTPServer | undefined;
  private port = 0;

  constructor(private readonly certificate?: Certificate) {}

  get url(): string {
    if (this.certificate) return `smtps://localhost:${this.port}`;
    return `smtp://127.0.0.1:${this.port}`;
  }

  behave(behavior: SinkBehavior, address?: string): void {
    if (address === undefined) this.behavior = behavior;
    else this.exceptions.set(address, behavior);
    this.events.emit('change');
  }

  nextMail(): Promise<ReceivedMail> {
    return this.take(() => true);
  }

  mailTo(address: string): Promise<ReceivedMail> {
    return this.take((mail) => mail.to.includes(address));
  }

  async attempted(count: number): Promise<void> {
    await this.waitFor(() => this.attempts >= count);
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      ...(this.certificate && { secure: true, ...this.certificate }),
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 50,
      onAuth: (auth, _session, callback) => callback(null, { user: auth.username }),
      onRcptTo: ({ address }, _session, callback) => {
        this.attempts += 1;
        this.events.emit('change');
        if (this.behaviorTo(address) !== 'silent') callback(REFUSALS[this.behaviorTo(address)]?.() ?? null);
      },
      onData: (stream, session, callback) => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        void buffer(stream)
          .then((source) => parse(source, to))
          .then((mail) => this.receive(mail, server, session.remotePort))
          // Whoever went away in the middle waits for no answer; the connection is told nothing was kept.
          .then(callback, () => callback(refusal(451, 'The mail did not arrive whole')));
      },
    });
    // A client that goes away in the middle is what tests are about.
    server.on('error', () => {});
    const listener = server.server;
    listener.on('connection', (socket: Socket) => {
      const port = socket.remotePort ?? 0;
      this.sockets.set(port, socket);
      socket.once('close', () => this.sockets.delete(port));
    });
    this.port = await listenOnReservedPort(listener, this.port);
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** The answer to a mail that was read to the end. */
  private async receive(mail: ReceivedMail, server: SMTPServer, remotePort: number): Promise<Error | null> {
    this.offeredIds.push(mail.messageId);
    this.events.emit('change');
    const address = mail.to[0] ?? '';
    while (this.behaviorTo(address) === 'hang') await once(this.events, 'change');
    const behavior = this.behaviorTo(address);
    if (behavior !== 'accept' && behavior !== 'cut') return refusal(451, 'Try again later');
    // A server that went down while it held a mail has lost it.
    if (this.server === server) this.mails.push(mail);
    // Told apart by its port: what goes through this connection goes nowhere any more.
    if (behavior === 'cut') this.sockets.get(remotePort)?.destroy();
    this.events.emit('change');
    return null;
  }

  private behaviorTo(address: string): SinkBehavior {
    return this.exceptions.get(address) ?? this.behavior;
  }

  private async take(isWanted: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
    const find = () => this.mails.find((mail) => !this.taken.has(mail) && isWanted(mail));
    await this.waitFor(() => find() !== undefined);
    const mail = find()!;
    this.taken.add(mail);
    return mail;
  }

  private async waitFor(isTrue: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(WAIT_LIMIT_MS);
    while (!isTrue()) {
      await once(this.events, 'change', { signal }).catch(() => {
        throw new Error(`No such mail within ${WAIT_LIMIT_MS / 1000} s; there were ${JSON.stringify(this.mails)}`);
      });
    }
  }
}

/** Answers to a recipient. */
const REFUSALS: Partial<Record<SinkBehavior, () => Error>> = {
  refuse: () => refusal(550, 'No such person'),
  deny: () => refusal(554, '5.7.1 Relay access denied'),
  greylist: () => refusal(450, 'Come back later'),
};

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function parse(source: Buffer, to: string[]): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source);
  const text = mail.text ?? '';
  return {
    messageId: mail.messageId ?? '',
    from: mail.from?.address ?? '',
    to,
    replyTo: (mail.replyTo ?? []).map(({ address }) => address ?? ''),
    toHeader: (mail.to ?? []).map(({ address }) => address ?? ''),
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    references: mail.references?.split(/\s+/) ?? [],
    inReplyTo: mail.inReplyTo,
    headerNames: mail.headers.map(({ key }) => key),
    link: /https?:\/\/\S+\?\S+/.exec(text)?.[0],
    code: /code: (\d+)/.exec(text)?.[1],
  };
}
