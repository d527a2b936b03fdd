import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { PermanentJobError } from '../database/job-queue.js';
import { MarksService } from '../marks/marks.service.js';
import { Metrics } from '../metrics/metrics.js';
import { SiteService } from '../site/site.service.js';
import { isPlainAddress } from './mail-address.js';
import { writeLetter, type Letter } from './templates/letter.js';
import { createMailTransport } from './transport/create-mail-transport.js';
import type { MailContent, MailTransport } from './transport/mail-transport.js';

export type { Letter } from './templates/letter.js';

const TEST_LIMIT_MS = 60_000;
/** How often a process notes that mail works. */
const NOTE_MS = 3_600_000;

/** The recipient and the headers of a mail. */
export interface MailEnvelope {
  /** One plain address. */
  readonly to: string;
  /** Recipient of replies, as a name and one plain address; the sender's own address by default. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  /** With angle brackets, from {@link MailSenderService.newMessageId}; the same at every attempt. */
  readonly messageId: string;
  /** Message-IDs of the mails that this one answers, the oldest first, with angle brackets. */
  readonly answers?: readonly string[];
  /** Somebody wrote it by hand; others say that a program did. */
  readonly isPersonal?: true;
}

/** Hands mails to the transport at once. For workers of queues, which try again; others queue a mail. */
@Injectable()
export class MailSenderService implements OnApplicationShutdown {
  private readonly logger = new Logger(MailSenderService.name);
  private transport: Promise<MailTransport> | undefined;
  private notedAt = -Infinity;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly site: SiteService,
    private readonly metrics: Metrics,
    private readonly marks: MarksService,
  ) {}

  /** Creates a unique Message-ID. Store it with the mail's subject: it must not change. */
  newMessageId(): string {
    return this.toMessageId(randomUUID());
  }

  /**
   * The Message-ID of the mail of a job, or of the one mail that follows from something, whose id is the same at every
   * attempt. So is the rest, which is of the site and not of the sender: the office may change that address while a mail
   * waits, and the mail would arrive twice.
   */
  toMessageId(id: string): string {
    return `<${id}@${new URL(this.config.site.url).hostname}>`;
  }

  /** Sends a letter in the site's identity. @throws as {@link send} does */
  async sendLetter(envelope: MailEnvelope, letter: Letter, signal: AbortSignal): Promise<void> {
    await this.send(envelope, writeLetter(letter, this.site.current), signal);
  }

  /**
   * Resolves when the mail was accepted.
   * @throws PermanentJobError when the recipient was refused for good, or is not one plain address
   */
  async send(envelope: MailEnvelope, content: MailContent, signal: AbortSignal): Promise<void> {
    try {
      await this.handOver(envelope, content, signal);
      this.metrics.mails.add('delivered');
    } catch (error) {
      this.metrics.mails.add(error instanceof PermanentJobError ? 'failed' : 'put_off');
      throw error;
    }
    await this.noteDelivery();
  }

  /** Lets the site remember that a mail server took a mail. The mail is out, whether or not this works. */
  private async noteDelivery(): Promise<void> {
    if (this.config.mail.transport.kind !== 'smtp' || performance.now() - this.notedAt < NOTE_MS) return;
    this.notedAt = performance.now();
    try {
      await this.marks.note('mail.delivered', new Date());
    } catch (error) {
      this.logger.debug({ err: error }, 'It could not be noted that mail works');
    }
  }

  private async handOver(
    { replyTo, ...envelope }: MailEnvelope,
    content: MailContent,
    signal: AbortSignal,
  ): Promise<void> {
    // Also what was accepted into the database long ago, by other rules, gets no further.
    if (![envelope.to, replyTo?.address ?? envelope.to].every(isPlainAddress))
      throw new PermanentJobError('The address is not a plain one');
    if (!this.site.isReachable)
      throw new Error('Nobody has said whom mails are from: run settings set email, or set SITE_EMAIL');
    this.transport ??= createMailTransport(this.config.mail.transport);
    const mail = { ...content, ...envelope, id: idOf(envelope.messageId), from: this.site.sender };
    await (await this.transport).send(replyTo === undefined ? mail : { ...mail, replyTo }, signal);
  }

  /**
   * Sends a test mail now and not through the queue, for an operator who sets the site up.
   * @throws Error with the mail server's own words; its causes say more
   */
  async sendTest(to: string, { limitMs = TEST_LIMIT_MS, sentBy = 'the command line' } = {}): Promise<void> {
    const { name } = this.site.current;
    const letter: Letter = {
      subject: `A test from ${name}`,
      title: 'Mails arrive',
      paragraphs: [`This mail was sent by ${sentBy} of ${name}. Nothing is to be done.`],
      notes: [],
    };
    try {
      const signal = AbortSignal.timeout(limitMs);
      await this.sendLetter({ to, messageId: this.newMessageId() }, letter, signal);
    } catch (error) {
      const { message, cause } = error as Error;
      throw new Error(cause instanceof Error ? `${message} (${cause.message})` : message, { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport)?.close();
  }
}

/** Returns the id of a captured mail. */
export function idOf(messageId: string): string {
  return messageId.slice(1, messageId.indexOf('@'));
}
