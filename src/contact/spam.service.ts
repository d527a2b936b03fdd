import { raw, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ContactEnquiry } from '../shared/contracts/contact.js';
import type { SpamReason } from '../shared/contracts/enquiries.js';
import { Enquiry } from './enquiry.entity.js';
import { looksLikeSpam } from './spam-score.js';

/** As many of the newest decisions of each kind are learned from, so that an address does not have to be old to count. */
const LEARNED_FROM = 200;

/** Sorts enquiries by what administrators have decided about others. It keeps nothing of its own. */
@Injectable()
export class SpamService {
  /** Returns why an enquiry is sorted as spam, or null if it is not. */
  async judge(em: EntityManager, { email, name, message }: ContactEnquiry): Promise<SpamReason | null> {
    if (await this.isBlocked(em, email)) return 'sender';
    const [spam, genuine] = [await this.readSpam(em), await this.readGenuine(em)];
    return looksLikeSpam(`${name}\n${message}`, { spam, genuine }) ? 'words' : null;
  }

  /** Goes by the last decision about an enquiry from this address. */
  private async isBlocked(em: EntityManager, email: string): Promise<boolean> {
    const last = await em.findOne(
      Enquiry,
      { [raw('lower(email)')]: email.toLowerCase(), spamDecidedAt: { $ne: null } },
      { orderBy: { spamDecidedAt: 'desc', id: 'desc' }, fields: ['spamReason', 'closedAt'] },
    );
    return last?.spamReason != null && last.closedAt != null;
  }

  private async readSpam(em: EntityManager): Promise<string[]> {
    return await readTexts(em, `spam_reason = 'marked' and handled_at is not null`);
  }

  private async readGenuine(em: EntityManager): Promise<string[]> {
    return await readTexts(
      em,
      'spam_reason is null and (handled_at is not null or answered_at is not null or spam_decided_at is not null)',
    );
  }
}

async function readTexts(em: EntityManager, condition: string): Promise<string[]> {
  const rows = await em.execute<{ text: string }[]>(
    `select name || e'\\n' || message as text from enquiries where message <> '' and ${condition}
     order by created_at desc, id desc limit ${LEARNED_FROM}`,
  );
  return rows.map(({ text }) => text);
}
