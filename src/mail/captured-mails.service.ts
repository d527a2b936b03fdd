import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { captureFolder, CONFIG, type Config } from '../config/config.js';
import { patternOfAddress } from '../shared/mentioned-address.js';
import type { CapturedMail } from './captured-mail.pages.js';
import { idOf } from './mail-sender.service.js';

/**
 * Mails that were captured instead of sent, for removing a person's data. Also where mails are sent by now: those from before
 * stay until somebody removes them.
 */
@Injectable()
export class CapturedMailsService {
  private readonly folder: string;

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    this.folder = captureFolder(dataDir);
  }

  /** Returns every mail that goes to an address or mentions it, in any case of letters. */
  async findMentioning(address: string): Promise<CapturedMail[]> {
    const wanted = new RegExp(patternOfAddress(address), 'i');
    const mails = await this.readAll();
    return mails.filter(({ to, subject, text }) => wanted.test([to, subject, text].join('\n')));
  }

  /** Removes mails by their ids. */
  async remove(ids: readonly string[]): Promise<void> {
    const files = ids.flatMap((id) => [`${id}.json`, `${id}.eml`]);
    await Promise.all(files.map((file) => rm(join(this.folder, file), { force: true })));
  }

  /** Removes mails by their Message-IDs. */
  async removeByMessageId(messageIds: readonly string[]): Promise<void> {
    await this.remove(messageIds.map(idOf));
  }

  private async readAll(): Promise<CapturedMail[]> {
    const { folder } = this;
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.json$/.test(name));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(nothingIfGone)));
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as CapturedMail]));
  }
}

/** Somebody else has removed it meanwhile. */
function nothingIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
