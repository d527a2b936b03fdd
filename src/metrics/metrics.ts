import { Injectable } from '@nestjs/common';
import { Answers } from './answer-counts.js';
import { Tally } from './tally.js';

const SIGN_IN_FAILURES = [
  'invalid_credentials',
  'email_not_confirmed',
  'phone_not_confirmed',
  'user_banned',
  'otp_expired',
  'over_request_rate_limit',
] as const;

const UPLOAD_REFUSALS = [
  'image_empty',
  'image_too_large',
  'image_unsupported',
  'image_damaged',
  'image_too_many_pixels',
  'image_too_slow',
  'image_too_heavy',
  'image_undecodable',
  'uploads_busy',
  'upload_abandoned',
  'multipart_expected',
  'file_missing',
  'upload_broken',
  'too_many_parts',
  'request_timeout',
  'storage_unavailable',
  'database_unavailable',
  'disk_full',
] as const;

/**
 * Counts events of this process, whether metrics are scraped or not; exposition.ts makes metrics of the counts. No
 * person, path or text is ever a label.
 */
@Injectable()
export class Metrics {
  readonly answers = new Answers();
  /** Answers with public pages: from the cache, rendered, or stale while the database is away. */
  readonly cachedPages = new Tally(['hit', 'miss', 'stale']);
  readonly renderings = new Tally(['finished', 'failed']);
  /** Attempts to hand a mail to the mail server. */
  readonly mails = new Tally(['delivered', 'failed', 'put_off']);
  /** Requests for mails of accounts, by what the budgets say (mail-budgets.service.ts). */
  readonly accountMails = new Tally(['at_once', 'waits', 'refused_to_one', 'refused_to_all']);
  readonly signIns = new Tally(['succeeded', ...SIGN_IN_FAILURES, 'other']);
  readonly uploads = new Tally(['accepted', ...UPLOAD_REFUSALS, 'other']);
  /** Answers that name an outage. */
  readonly outages = new Tally(['database_unavailable', 'storage_unavailable', 'disk_full']);
}
