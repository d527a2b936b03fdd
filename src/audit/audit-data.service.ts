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

/** Exports and erases a person's lines of the audit log. */
@Injectable()
export class AuditDataService {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns the lines that name an address, and those of accounts, which may have had another address then; the oldest
   * first. The caller has checked the actor.
   * @param email null for an account without one, or with one that nobody has shown to read
   */
  async listAbout(email: string | null, userIds: readonly string[]): Promise<AuditLine[]> {
    const address = email === null ? null : email.trim().toLowerCase();
    const ids = JSON.stringify(userIds);
    const isOne = 'in (select jsonb_array_elements_text(?::jsonb))';
    const isActor = `coalesce(lower(actor_email) = ?::text, false) or coalesce(actor_id::text ${isOne}, false)`;
    const rows = await this.em.fork().execute<(Omit<AuditLine, 'at'> & { readonly at: Date | string })[]>(
      `select at, action, subject_type, subject, ${isActor} as is_actor from audit_log
       where ${isActor} or (subject_type = 'user' and (lower(subject) = ?::text or subject_id ${isOne})) order by id`,
      [address, ids, address, ids, address, ids],
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
    if (address === null) return;
    await em.execute(
      `update audit_log set details = '{}'
       where exists (select from jsonb_each_text(details) detail where detail.value ~* ?)`,
      [patternOfAddress(address)],
    );
  }
}
