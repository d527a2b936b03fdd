import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { describeWriteFailure } from '../../http/disk-full.js';
import type { MailTransport, OutgoingMail } from './mail-transport.js';
import { toMessage } from './message.js';

/** Keeps mails in a folder: `<id>.eml` as it would have been sent, and `<id>.json` for the pages that show it. */
export class CaptureTransport implements MailTransport {
  private readonly transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(private readonly folder: string) {}

  async send(mail: OutgoingMail): Promise<void> {
    const { message } = await this.transporter.sendMail(toMessage(mail));
    const { id, to, subject, text, html } = mail;
    // Tokens are for the eyes of whoever runs this.
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.write(`${id}.eml`, message as Buffer);
    await this.write(`${id}.json`, JSON.stringify({ id, to, subject, text, html, sentAt: new Date().toISOString() }));
  }

  close(): void {}

  /** Whole or not at all, as pages may read at any time. */
  private async write(name: string, content: Buffer | string): Promise<void> {
    const draft = join(this.folder, `.${name}.draft`);
    try {
      await writeFile(draft, content, { mode: 0o600 });
      await rename(draft, join(this.folder, name));
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw new Error(`The folder of captured mails cannot be written: ${describeWriteFailure(cause)}`, { cause });
    }
  }
}
