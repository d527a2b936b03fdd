import { SMTP_STEP_MS, SMTP_VERDICT_MS } from '../../config/time-limits.js';
import { DeferredJobError, PermanentJobError } from '../../database/job-queue.js';
import type { MailTransport, OutgoingMail } from './mail-transport.js';
import { toMessage } from './message.js';
import { SmtpLine, type SmtpSilence } from './smtp-line.js';
import { isRefusalOfSite } from '../../shared/smtp-refusal.js';

const SERVICE_CLOSING = 421;

const LIMITS: SmtpSilence = { stepMs: SMTP_STEP_MS, verdictMs: SMTP_VERDICT_MS };

/** Hands mails to an SMTP server, over as many connections as there are mails at the same time. */
export class SmtpTransport implements MailTransport {
  private readonly lines = new Set<SmtpLine>();
  private readonly idleLines: SmtpLine[] = [];

  /** @param url smtp://user:password@host:port, or smtps:// for TLS from the start */
  constructor(
    private readonly url: string,
    private readonly limits: SmtpSilence = LIMITS,
  ) {}

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    const line = this.idleLines.pop() ?? this.open();
    try {
      await line.send(toMessage(mail), signal);
      this.idleLines.push(line);
    } catch (error) {
      // Whatever the server still has to say on this one, nobody waits for it.
      this.lines.delete(line);
      line.close();
      throw toJobError(error, mail.to);
    }
  }

  close(): void {
    for (const line of this.lines) line.close();
  }

  private open(): SmtpLine {
    const line = new SmtpLine(this.url, this.limits);
    this.lines.add(line);
    return line;
  }
}

/** A failure as the library describes it. */
interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  /** The reply of the server, with its code. */
  readonly response?: string;
  readonly responseCode?: number;
}

/** Describes a failure without the server's words, which often repeat the address. */
function toJobError(error: unknown, to: string): Error {
  const { code, command, response, responseCode } = error as SmtpFailure;
  const details = [code, command, responseCode].filter(Boolean).join(' ') || String(error);
  // Anything else may be a server that is set up wrongly: that is for the operator to mend, and then the mail goes out.
  if (command === 'RCPT TO' && (responseCode ?? 0) >= 500 && !isRefusalOfSite(response ?? '')) {
    return new PermanentJobError(`The recipient was refused: ${details}`, { cause: error });
  }
  const message = `The mail server did not take the mail: ${details}`;
  // It greets us and takes the sender, but not this recipient now. With 421 it takes nobody (RFC 5321, section 3.8).
  if (command === 'RCPT TO' && responseCode !== undefined && responseCode < 500 && responseCode !== SERVICE_CLOSING) {
    return new DeferredJobError(message, to.slice(to.lastIndexOf('@') + 1).toLowerCase(), { cause: error });
  }
  return new Error(message, { cause: error });
}
