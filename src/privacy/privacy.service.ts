import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditDataService, type AuditLine } from '../audit/audit-data.service.js';
import {
  AccountDataService,
  type AccountData,
  type ClaimedIdentity,
  type WaitingChange,
} from '../auth/admin/account-data.service.js';
import { EnquiriesService } from '../contact/enquiries.service.js';
import { EnquiryAnswersService, type WrittenAnswer } from '../contact/enquiry-answers.service.js';
import type { FreshProof } from '../auth/accounts/fresh-proof.service.js';
import { ContentNotifier } from '../database/content-notifier.js';
import { CapturedMailsService } from '../mail/captured-mails.service.js';
import { PostOwnersService, type OwnedPost } from '../posts/post-owners.service.js';
import { PreviewsService, type MadePreviewLink } from '../posts/previews.service.js';
import { SYSTEM, type Actor } from '../shared/actor.js';
import type { EnquiryRecord } from '../shared/contracts/enquiries.js';

/** Everything that is kept about the person behind an address. */
export interface PersonalData {
  readonly email: string | null;
  readonly accounts: readonly AccountData[];
  /** Accounts of others that were to get the address, and what is known of it: when. */
  readonly waiting_changes: readonly WaitingChange[];
  /** Identities of accounts with another address that have this one, and of those that nobody vouches for only that there is one. */
  readonly claimed_identities: readonly ClaimedIdentity[];
  readonly enquiries: readonly EnquiryRecord[];
  /** The posts that belong to the accounts. */
  readonly posts: readonly OwnedPost[];
  /** The preview links that the accounts made. */
  readonly preview_links: readonly MadePreviewLink[];
  /** The answers to enquiries that the accounts sent. */
  readonly answers: readonly WrittenAnswer[];
  /** The person's lines of the audit log. */
  readonly audit: readonly AuditLine[];
  /** Mails that were kept instead of sent, also those from before mails were sent. */
  readonly captured_mails: readonly { readonly to: string; readonly subject: string; readonly sent_at: string }[];
}

/** How much was removed. */
export interface Erasure {
  readonly accounts: number;
  readonly enquiries: number;
  readonly capturedMails: number;
  /** Identities of accounts with another address, which have lost this one. */
  readonly claimedIdentities: number;
}

/** Thrown where a person is to be found by what is no address: nothing would be found by it, or what is about everybody. */
export class NoAddressError extends Error {
  override readonly name = 'NoAddressError';

  constructor(typed: string) {
    super(`${JSON.stringify(typed)} is no email address`);
  }
}

/**
 * Exports and erases the data about a person. Published content, such as the author's name on a post, is changed where
 * posts are written; images belong to posts and to nobody.
 */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: AccountDataService,
    private readonly enquiries: EnquiriesService,
    private readonly answers: EnquiryAnswersService,
    private readonly owners: PostOwnersService,
    private readonly previews: PreviewsService,
    private readonly audit: AuditDataService,
    private readonly captured: CapturedMailsService,
    private readonly notifier: ContentNotifier,
  ) {}

  /** @throws NoAddressError */
  async export(actor: Actor, email: string): Promise<PersonalData> {
    return await this.exportByAddress(actor, toAddress(email));
  }

  private async exportByAddress(actor: Actor, email: string): Promise<PersonalData> {
    const mails = await this.captured.findMentioning(email);
    const accounts = await this.accounts.exportAccounts(actor, email);
    return {
      email,
      accounts,
      waiting_changes: await this.accounts.listWaitingChanges(actor, email),
      claimed_identities: await this.accounts.listClaimedIdentities(actor, email),
      ...(await this.exportWork(accounts)),
      enquiries: await this.enquiries.listFrom(actor, email),
      audit: await this.audit.listAbout(
        email,
        accounts.map(({ id }) => id),
      ),
      captured_mails: mails.map(({ to, subject, sentAt }) => ({ to, subject, sent_at: sentAt })),
    };
  }

  /**
   * The same for the account that asks, and about no other one. Where nobody has to show that they read the mails of
   * their address, nothing is found by it, but only by the id of the account: anybody could have given it.
   */
  async exportOwn(userId: string, sessionId: string): Promise<PersonalData> {
    const account = await this.accounts.exportOwn(userId);
    const email = await this.accounts.findProvenAddress(userId, sessionId);
    const own = { accounts: [account], ...(await this.exportWork([account])) };
    if (email === null) {
      const audit = await this.audit.listAbout(null, [userId]);
      const nothing = { waiting_changes: [], claimed_identities: [], enquiries: [], captured_mails: [] };
      return { email: account.email, ...own, ...nothing, audit };
    }
    return { ...(await this.exportByAddress(SYSTEM, email)), ...own };
  }

  private async exportWork(
    accounts: readonly AccountData[],
  ): Promise<Pick<PersonalData, 'posts' | 'preview_links' | 'answers'>> {
    const ids = accounts.map(({ id }) => id);
    return {
      posts: await this.owners.listOwned(ids),
      preview_links: await this.previews.listMade(ids),
      answers: await this.answers.listWritten(ids),
    };
  }

  /**
   * Erases the person whose account asks. The account goes last, so that they can ask again after a failure.
   * @throws LastAdminException before anything was removed, and as {@link AccountDataService.eraseOwn}
   */
  async eraseOwn(proof: FreshProof): Promise<void> {
    await this.accounts.assertMayEnd(proof.userId);
    const email = await this.accounts.findProvenAddress(proof.userId, proof.sessionId);
    // Nobody but administrators erases enquiries, and the log is to say nothing of who is gone.
    if (email !== null) await this.eraseByAddress(SYSTEM, email);
    await this.accounts.eraseOwn(proof, async (em) => {
      await this.audit.anonymizeIn(em, email, [proof.userId]);
      await this.notifier.notifyChanged(em, true);
    });
  }

  /**
   * Erases a person from the database, the queue of jobs, the captured mails, the caches of all processes and the audit
   * log, which says who erased what. May be repeated: a second run removes what a failed one left behind.
   * @throws NoAddressError, LastAdminException before anything was removed
   */
  async erase(actor: Actor, typed: string): Promise<Erasure> {
    const email = toAddress(typed);
    // A run that is killed now leaves no id by which the next one could find these lines.
    const forget = (em: EntityManager, userId: string) => this.audit.anonymizeIn(em, null, [userId]);
    const accountIds = await this.accounts.eraseAccounts(actor, email, forget);
    await this.audit.anonymize(email, accountIds);
    // People may have erased themselves just now: they may do nothing any more, and the log is to say nothing of them.
    const by = actor.kind === 'operator' ? actor : SYSTEM;
    const claimedIdentities = await this.accounts.forgetClaimedAddress(by, email);
    const removed = await this.eraseByAddress(by, email);
    await this.em.fork().transactional((em) => this.notifier.notifyChanged(em, true));
    return { accounts: accountIds.length, ...removed, claimedIdentities };
  }

  private async eraseByAddress(actor: Actor, email: string): Promise<Pick<Erasure, 'enquiries' | 'capturedMails'>> {
    const mails = await this.captured.findMentioning(email);
    const enquiries = await this.enquiries.eraseFrom(actor, email);
    await this.captured.remove(mails.map(({ id }) => id));
    return { enquiries, capturedMails: mails.length };
  }
}

/** @throws NoAddressError */
function toAddress(typed: string): string {
  const address = typed.trim();
  if (!/.@./.test(address)) throw new NoAddressError(typed);
  return address;
}
