import { createTransport } from 'nodemailer';
import { SMTP_STEP_MS } from '../../config/time-limits.js';
import { DeferredJobError, PermanentJobError } from '../../database/job-queue.js';
import type { MailTransport, OutgoingMail } from './mail-transport.js';
import { toMessage } from './message.js';

/** As many as the worker sends at the same time. */
const MAX_CONNECTIONS = 2;

const SERVICE_CLOSING = 421;

const TIMEOUTS_MS = {
  dnsTimeout: SMTP_STEP_MS,
  connectionTimeout: SMTP_STEP_MS,
  greetingTimeout: SMTP_STEP_MS,
  socketTimeout: SMTP_STEP_MS,
  // A connection that is kept for longer may be one that the server has ended meanwhile.
  idleTimeout: 5000,
};

/** Hands mails to an SMTP server. */
export class SmtpTransport implements MailTransport {
  private readonly transporter;

  /** @param url smtp://user:password@host:port, or smtps:// for TLS from the start */
  constructor(url: string) {
    this.transporter = createTransport({
      url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      // The queue tries again, and knows how often it did.
      maxRequeues: 0,
      ...TIMEOUTS_MS,
    });
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    try {
      await this.transporter.sendMail({ ...toMessage(mail), signal });
    } catch (error) {
      throw toJobError(error, mail.to);
    }
  }

  close(): void {
    this.transporter.close();
  }
}

/** Describes a failure without the server's words, which often repeat the address. */
function toJobError(error: unknown, to: string): Error {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  const details = [code, command, responseCode].filter(Boolean).join(' ') || String(error);
  // Anything else may be a server that is set up wrongly: that is for the operator to mend, and then the mail goes out.
  if (command === 'RCPT TO' && (responseCode ?? 0) >= 500) {
    return new PermanentJobError(`The recipient was refused: ${details}`, { cause: error });
  }
  const message = `The mail server did not take the mail: ${details}`;
  // It greets us and takes the sender, but not this recipient now. With 421 it takes nobody (RFC 5321, section 3.8).
  if (command === 'RCPT TO' && responseCode !== undefined && responseCode !== SERVICE_CLOSING) {
    return new DeferredJobError(message, to.slice(to.lastIndexOf('@') + 1).toLowerCase(), { cause: error });
  }
  return new Error(message, { cause: error });
}
