import { createTransport, type SendMailOptions } from 'nodemailer';

/** How long a mail server may be silent, in milliseconds. */
export interface SmtpSilence {
  /** While it has something to say at once. */
  readonly stepMs: number;
  /** From when it asks for the content of a mail, until it says whether it took the mail. */
  readonly verdictMs: number;
}

/** The reply to DATA (RFC 5321, section 4.2.3). */
const SEND_THE_CONTENT = /^354\b/;

/**
 * A connection to the mail server, for one mail at a time: so all that the library says is said of that mail. The
 * library has one limit for all silences, and reports every command and reply; the limits of a conversation are ours.
 */
export class SmtpLine {
  private readonly transporter;
  private limitMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private silence = new AbortController();

  constructor(
    url: string,
    private readonly limits: SmtpSilence,
  ) {
    const { stepMs, verdictMs } = limits;
    const hear = (_facts: unknown, words?: unknown) => this.hear(String(words));
    this.transporter = createTransport({
      url,
      pool: true,
      maxConnections: 1,
      // The queue tries again, and knows how often it did.
      maxRequeues: 0,
      dnsTimeout: stepMs,
      connectionTimeout: stepMs,
      greetingTimeout: stepMs,
      // Ours is over before: this one is for what has no mail, such as a goodbye.
      socketTimeout: verdictMs + stepMs,
      // A connection that is kept for longer may be one that the server has ended meanwhile.
      idleTimeout: 5000,
      transactionLog: true,
      logger: { trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear },
    });
  }

  /** @throws Error with the code ETIMEDOUT when the server was silent for too long; otherwise as the library does */
  async send(message: SendMailOptions, signal: AbortSignal): Promise<void> {
    this.silence = new AbortController();
    this.limitMs = this.limits.stepMs;
    this.wait();
    try {
      await this.transporter.sendMail({ ...message, signal: AbortSignal.any([signal, this.silence.signal]) });
    } catch (error) {
      throw this.silence.signal.aborted ? (this.silence.signal.reason as Error) : error;
    } finally {
      clearTimeout(this.timer);
      this.timer = undefined;
    }
  }

  /** Nobody waits for what is still being done. */
  close(): void {
    this.transporter.close({ force: true });
  }

  private hear(words: string): void {
    // Between mails there is nothing to wait for.
    if (this.timer === undefined) return;
    if (SEND_THE_CONTENT.test(words)) this.limitMs = this.limits.verdictMs;
    this.wait();
  }

  private wait(): void {
    clearTimeout(this.timer);
    const { silence, limitMs } = this;
    const command = limitMs === this.limits.stepMs ? 'CONN' : 'DATA';
    this.timer = setTimeout(() => {
      const error = new Error(`The mail server was silent for ${limitMs / 1000} s`);
      silence.abort(Object.assign(error, { code: 'ETIMEDOUT', command }));
    }, limitMs);
  }
}
