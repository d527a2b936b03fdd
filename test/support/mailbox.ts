import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from './create-test-app.js';
import { until } from './until.js';

/** A mail of an account. */
export interface AuthMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The code to type in. */
  readonly otp: string;
  /** The members of the address that the mail leads to. */
  readonly query: URLSearchParams;
}

interface Captured {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly sentAt: string;
}

/** The mails that an application has kept instead of sending them. */
export class Mailbox {
  private readonly seen = new Set<string>();

  constructor(private readonly app: TestApp) {}

  /** The first mail to an address that was not read yet, waiting for it if need be. */
  async read(address: string): Promise<AuthMail> {
    let found: Captured | undefined;
    await until(async () => {
      found = (await this.unread()).find(({ to }) => to === address);
      return found !== undefined;
    });
    if (found === undefined) throw new Error(`There is no mail to ${address}`);
    this.seen.add(found.id);
    const link = /https?:\/\/\S+(?:token|token_hash)=\S+/.exec(found.text)?.[0];
    return {
      to: found.to,
      subject: found.subject,
      text: found.text,
      otp: /(?<!\S)\d{6,10}(?!\S)/.exec(found.text)?.[0] ?? '',
      query: link === undefined ? new URLSearchParams() : new URL(link).searchParams,
    };
  }

  /** Mails that were not read, the oldest first. */
  async unread(): Promise<Captured[]> {
    const folder = join(this.app.config.dataDir, 'mail');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    const mails = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Captured),
    );
    const unread = mails.filter(({ id }) => !this.seen.has(id));
    return unread.sort((one, other) => one.sentAt.localeCompare(other.sentAt));
  }
}
