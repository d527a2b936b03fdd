import { beforeAll, describe, expect, it } from '@jest/globals';
import { PRODUCT_SCHEMAS } from '../../src/backup/database-catalog.js';
import { createInstallation, type Installation } from '../support/installation.js';

// Nobody is told when a new table says something of a person: exports and erasures of `privacy` would go on without it.
// So each table is named here by whoever adds it, after having thought of that.

/** Tables that say something of a person, with what has it in an export and takes it away in an erasure. */
const ofPeople: Readonly<Record<string, string>> = {
  'auth.users': 'AccountDataService',
  'auth.identities': 'AccountDataService; goes with the user',
  'auth.sessions': 'AccountDataService; goes with the user',
  'auth.refresh_tokens': 'nothing but hashes; goes with the session',
  'auth.provider_flows': 'a sign-in that is under way; goes with the session, or soon',
  'auth.flow_states': 'a sign-in that is under way; goes with the user',
  'auth.one_time_tokens': 'nothing but hashes; goes with the user',
  'auth.mfa_factors': 'AccountDataService; goes with the user',
  'auth.mfa_challenges': 'a sign-in that is under way; goes with the factor',
  'auth.mfa_recovery_codes': 'nothing but hashes; goes with the factor',
  'auth.webauthn_credentials': 'AccountDataService; goes with the factor',
  'auth.webauthn_challenges': 'a sign-in that is under way; goes with the user',
  'public.user_roles': 'AccountDataService; goes with the user',
  'public.audit_log': 'AuditDataService',
  'public.blog_posts': 'PostOwnersService; loses its owner with the user',
  'public.post_revisions': 'a part of the post; loses its author with the user',
  'public.post_preview_links': 'PreviewsService; ends, and loses who made it, with the user',
  'public.post_comments': 'names and words that were public (decision 113): `comments remove`',
  'public.comment_changes': 'such names and words before an import (decision 127): `comments remove`',
  'public.enquiries': 'EnquiriesService',
  'public.enquiry_answers': 'EnquiryAnswersService; goes with the enquiry, and loses its author with the user',
  'public.settings_documents': 'facts of the company; lose their author with the user',
  'public.settings_versions': 'facts of the company; lose their author with the user',
  'public.site_setup': 'loses who did it with the user',
  'public.webhook_deliveries': 'nothing but links (decision 111); goes with the enquiry',
};

/** Tables that name nobody; those of limits have ids and keyed hashes. */
const ofNobody: readonly string[] = [
  ...['auth.attempts', 'auth.rate_limits', 'auth.signing_key_uses'],
  ...['public.image_uses', 'public.images', 'public.import_run_posts', 'public.import_runs'],
  ...['public.media_state', 'public.post_links', 'public.post_reads', 'public.post_slugs'],
  ...['public.post_terms', 'public.redirects', 'public.related_posts', 'public.saved_answers'],
  ...['public.search_documents', 'public.search_pings', 'public.share_images', 'public.site_marks'],
];

/** Names of columns that are about somebody. */
const PERSONAL =
  '(^|_)(email|phone|ip|user_agent|user_id|actor_id|author_id|owner_id)$|^(created|saved|kept|deleted|changed|published|handled)_by$';

describe('what is kept about people', () => {
  let site: Installation;

  beforeAll(async () => {
    site = await createInstallation();
  });

  it('is thought of in every table', async () => {
    const tables = await site.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema = any($1) and table_type = 'BASE TABLE' and table_name <> 'mikro_orm_migrations'`,
      [[...PRODUCT_SCHEMAS]],
    );
    expect(tables.map(({ name }) => name).sort()).toEqual([...Object.keys(ofPeople), ...ofNobody].sort());
  });

  it('stands in no table that is said to hold nothing of anybody', async () => {
    const columns = await site.query<{ name: string; column: string }>(
      `select table_schema || '.' || table_name as name, column_name as column from information_schema.columns
       where table_schema = any($1) and column_name ~ $2`,
      [[...PRODUCT_SCHEMAS], PERSONAL],
    );
    expect(columns.length).toBeGreaterThan(10);
    expect(columns.filter(({ name }) => ofNobody.includes(name))).toEqual([]);
  });

  it('goes with an account, or is nobody’s then: no reference keeps a user from being erased', async () => {
    const references = await site.query<{ reference: string; action: string }>(
      `select conrelid::regclass || ': ' || conname as reference, confdeltype::text as action from pg_constraint
       where contype = 'f' and confrelid = 'auth.users'::regclass`,
    );
    expect(references.length).toBeGreaterThan(10);
    // c: it goes too, n: it is null then.
    expect(references.filter(({ action }) => action !== 'c' && action !== 'n')).toEqual([]);
  });
});
