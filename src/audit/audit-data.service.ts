import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { patternOfAddress } from '../shared/mentioned-address.js';

/** A line of the audit log that names a person, as it is handed to them. */
export interface AuditLine {
  readonly at: string;
  readonly action: string;
  readonly subject_type: string;
  readonly subject: string;
  /** True when the person acted; false when somebody acted on their account. */
  readonly is_actor: boolean;
}

/** Takes ids, as JSON. */
const IS_ONE = 'in (select jsonb_array_elements_text(?::jsonb))';
/** Details that name one of several addresses; takes their patterns, as JSON. Most lines have none, and are passed over at once. */
const NAMES_ONE = `(details::text like '%@%' and exists (
  select from jsonb_each_text(details) detail, jsonb_array_elements_text(?::jsonb) pattern where detail.value ~* pattern))`;

/** Exports and erases a person's lines of the audit log. */
@Injectable()
export class AuditDataService {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns the lines that name an address, and those of accounts, which may have had another address then; the oldest
   * first. The caller has checked the actor.
   * @param email null for an account without one, or with one that nobody has shown to read: nothing is found by an address then
   */
  async listAbout(email: string | null, userIds: readonly string[]): Promise<AuditLine[]> {
    const address = email === null ? null : email.trim().toLowerCase();
    const em = this.em.fork();
    const ids = JSON.stringify(userIds);
    const patterns = address === null ? '[]' : toPatterns([address, ...(await this.findAddresses(em, userIds))]);
    const isActor = `coalesce(lower(actor_email) = ?::text, false) or coalesce(actor_id::text ${IS_ONE}, false)`;
    const rows = await em.execute<(Omit<AuditLine, 'at'> & { readonly at: Date | string })[]>(
      `select at, action, subject_type, subject, ${isActor} as is_actor from audit_log
       where ${isActor} or (subject_type = 'user' and (lower(subject) = ?::text or subject_id ${IS_ONE})) or ${NAMES_ONE}
       order by id`,
      [address, ids, address, ids, address, ids, patterns],
    );
    return rows.map(({ at, ...line }) => ({ ...line, at: new Date(at).toISOString() }));
  }

  /**
   * Removes a person from the audit log, which still tells what was done and when.
   * @param email null for accounts without one, or with one that nobody has shown to read
   * @param userIds ids of the deleted accounts
   */
  async anonymize(email: string | null, userIds: readonly string[]): Promise<void> {
    await this.em.fork().transactional((em) => this.anonymizeIn(em, email, userIds));
  }

  /** Removes enquiries that are erased from the audit log, in the transaction of `em`; what was done and when stays. */
  async forgetEnquiries(em: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await em.execute(
      `update audit_log set subject = '', subject_id = '', details = '{}'
       where subject_type = 'enquiry' and subject_id in (${ids.map(() => '?').join()})`,
      [...ids],
    );
  }

  /** Anonymizes as part of the transaction of `em`. */
  async anonymizeIn(em: EntityManager, email: string | null, userIds: readonly string[]): Promise<void> {
    const address = email === null ? null : email.trim().toLowerCase();
    // Before the lines forget them.
    const addresses = [...(address === null ? [] : [address]), ...(await this.findAddresses(em, userIds))];
    const ids = [...userIds, ''];
    const list = ids.map(() => '?').join();
    await em.execute(
      `update audit_log set actor_email = null, actor_id = null
       where lower(actor_email) = ? or actor_id::text in (${list})`,
      [address, ...ids],
    );
    await em.execute(
      `update audit_log set subject = '', subject_id = '', details = '{}'
       where subject_type = 'user' and (lower(subject) = ? or subject_id in (${list}))`,
      [address, ...ids],
    );
    if (addresses.length === 0) return;
    await em.execute(`update audit_log set details = '{}' where ${NAMES_ONE}`, [toPatterns(addresses)]);
  }

  /** The addresses that accounts had when something was done by them or to them, without those that somebody else has now. */
  private async findAddresses(em: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const ids = JSON.stringify(userIds);
    const rows = await em.execute<{ address: string }[]>(
      `select address from (
         select lower(actor_email) as address from audit_log where actor_id::text ${IS_ONE}
         union select lower(subject) from audit_log where subject_type = 'user' and subject_id ${IS_ONE}
       ) known
       where address like '%_@_%'
         and not exists (select from auth.users where email = address and not id::text ${IS_ONE})`,
      [ids, ids, ids],
    );
    return rows.map(({ address }) => address);
  }
}

/** Patterns of addresses, as JSON. */
function toPatterns(addresses: readonly string[]): string {
  return JSON.stringify([...new Set(addresses)].map(patternOfAddress));
}
