import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { AuditDataService } from '../../src/audit/audit-data.service.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { Identity } from '../../src/auth/accounts/identity.entity.js';
import { CONFIG, type Config } from '../../src/config/config.js';
import { EnquiryAnswer } from '../../src/contact/enquiry-answer.entity.js';
import { MailSenderService } from '../../src/mail/mail-sender.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { EnquiryRecord } from '../../src/shared/contracts/enquiries.js';
import { createAccount } from '../support/accounts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { startProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let sink: SmtpSink;
let app: TestApp;
const run = (...args: string[]) => runCommand(app, args);
const enquiries = (...args: string[]) => run('enquiries', ...args);

const first = buildEnquiry({ name: 'Robin\u001b[31m Vale', email: 'robin@example.org', message: '=1+1\nand more' });
const second = buildEnquiry({ email: 'sam@example.org' });

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url });
  await createAccount(app, { email: 'sam@example.org' });
  for (const enquiry of [first, second]) await sendEnquiry(app, enquiry);
  await until(async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent'));
});

describe('cli enquiries', () => {
  it('lists, shows and exports what was written', async () => {
    const list = await enquiries(
      'list',
      '--state',
      'new',
      '--delivery',
      'sent',
      '--assignee',
      'none',
      '--search',
      'ROBIN@',
    );
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(/^new {2}sent {2}\S+ {2}\S+ {2}Robin \[31m Vale <robin@example\.org>\n$/);
    expect(list.stdout).not.toContain('\u001b');
    const unknown = await enquiries('list', '--assignee', 'who@example.org');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no administrator who@example.org') });
    const { id } = (await storedFrom(app, 'robin@example.org'))!;
    await app
      .get(EntityManager)
      .fork()
      .insert(EnquiryAnswer, {
        id: randomUUID(),
        enquiry: id,
        text: 'Two\n\u001b[31mlines',
        delivery: 'sent',
        messageId: '<1@example.org>',
        createdAt: new Date('2026-11-23T17:00:00Z'),
      });
    const show = await enquiries('show', id);
    expect(show.stdout).toMatch(/^email +robin@example\.org$/m);
    expect(show.stdout.split('\n\n').slice(1)).toEqual([
      '=1+1\nand more',
      'Answered on 2026-11-23T17:00:00.000Z (sent):\nTwo\n[31mlines\n',
    ]);
    const folder = temporaryFolder();
    const file = join(folder, 'enquiries.csv');
    await writeFile(file, 'readable for everyone', { mode: 0o644 });
    expect(await enquiries('export', '--output', file)).toMatchObject({
      code: 2,
      stderr: `Error: ${file} is there already (--force replaces it)\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('readable for everyone');
    const forced = await enquiries('export', '--output', file, '--force');
    expect(forced).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toContain(`"robin@example.org","'=1+1\nand more","new"`);
    // The mark by which Excel knows UTF-8.
    expect(await readFile(file, 'utf8')).toMatch(/^\uFEFFid,/);
    // What was answered is nowhere else once the enquiry is erased; programs read it as it was sent.
    expect(await readFile(file, 'utf8')).toContain('"2026-11-23T17:00:00.000Z (sent):\nTwo\n\u001b[31mlines"');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await enquiries('export', '--output', folder)).toMatchObject({
      code: 2,
      stderr: `Error: ${folder} is a folder\n`,
    });
    expect((await enquiries('export', '--state', 'closed')).stdout).toMatch(/^id,[^\n]*\n$/);
    const json = JSON.parse((await enquiries('export', '--format', 'json')).stdout) as EnquiryRecord[];
    const jsonFile = join(folder, 'enquiries.json');
    await enquiries('export', '--format', 'json', '--output', jsonFile);
    expect(JSON.parse(await readFile(jsonFile, 'utf8'))).toEqual(json);
    expect(json.map(({ email }) => email)).toEqual(['sam@example.org', 'robin@example.org']);
  });

  itSlow('leaves no export behind that Ctrl+C ended, and the one before', async () => {
    const { url } = app.get<Config>(CONFIG).database;
    const folder = temporaryFolder();
    const before = join(folder, 'before.csv');
    await writeFile(before, 'complete');
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    try {
      await owner.query('begin; lock table enquiries in access exclusive mode');
      for (const flags of [
        ['--output', join(folder, 'new.csv')],
        ['--force', '--output', before],
      ]) {
        const args = ['dist/cli.js', 'enquiries', 'export', ...flags];
        const exporting = startProcess(args, { DATABASE_URL: url, NODE_ENV: 'test', DATA_DIR: temporaryFolder() });
        await until(async () => (await readdir(folder)).length > 1);
        expect(await exporting.stop('SIGINT')).toMatchObject({ signal: 'SIGINT', stdout: '', stderr: '' });
        expect(await readdir(folder)).toEqual(['before.csv']);
      }
    } finally {
      await owner.end();
    }
    expect(await readFile(before, 'utf8')).toBe('complete');
  });

  it('sends again by way of the server, and erases', async () => {
    const { id } = (await storedFrom(app, 'robin@example.org'))!;
    expect(await enquiries('resend', id)).toMatchObject({ code: 0, stdout: `${id}: its mail goes out\n` });
    await until(() => sink.mails.filter(({ replyTo }) => replyTo.includes('robin@example.org')).length === 2);
    expect(await enquiries('erase', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const erase = await enquiries('erase', id, 'nonsense', '--yes');
    expect(erase).toMatchObject({
      code: 1,
      stdout: `${id}: erased\n`,
      stderr: 'nonsense: There is no such enquiry.\n',
    });
    expect(await storedFrom(app, 'robin@example.org')).toBeNull();
  });
});

describe('cli privacy', () => {
  it('refuses what is no address, by which others would be found, and leaves everything as it is', async () => {
    const audit = async () => (await run('audit', 'list', '--json')).stdout;
    const em = app.get(EntityManager).fork();
    await em.transactional((inner) =>
      app.get(AuditService).record(inner, OPERATOR, {
        action: 'post.owned',
        subjectType: 'post',
        subjectId: randomUUID(),
        subject: 'Backups',
        details: { to: 'joann@example.org' },
      }),
    );
    const before = await audit();
    expect(before).toContain('joann@example.org');
    for (const email of ['', ' ', 'ann', '@example.org']) {
      const refusal = { code: 2, stdout: '', stderr: `Error: ${JSON.stringify(email)} is no email address\n` };
      expect(await run('privacy', 'erase', '--email', email, '--yes')).toEqual({ signal: null, ...refusal });
      expect(await run('privacy', 'export', '--email', email)).toEqual({ signal: null, ...refusal });
    }
    // Part of another one.
    expect(await run('privacy', 'erase', '--email', 'ann@example.org', '--yes')).toMatchObject({ code: 0 });
    expect(await audit()).toBe(before);
    expect(await run('privacy', 'erase', '--email', 'JoAnn@example.org', '--yes')).toMatchObject({ code: 0 });
    expect(await audit()).not.toContain('joann@example.org');
  });

  it('hands out what is kept about a person, and removes it', async () => {
    const handedOut = JSON.parse((await run('privacy', 'export', '--email', 'sam@example.org')).stdout) as object;
    expect(handedOut).toMatchObject({ accounts: [{ email: 'sam@example.org' }], enquiries: [{ name: second.name }] });
    const erase = ['privacy', 'erase', '--email', 'sam@example.org'];
    expect(await run(...erase)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const erasure = await run(...erase, '--yes');
    expect(erasure).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Erased: accounts 1, enquiries 1, /) });
    expect(await storedEnquiries(app)).toEqual([]);
  });

  it('finds an address that only a sign-in provider told, and leaves the account, which has another one', async () => {
    const em = app.get(EntityManager).fork();
    const { id } = await createAccount(app, { email: 'lee@example.org' });
    const told = (sub: string, email: string, isVerified: boolean) => ({
      sub,
      name: 'Lee',
      preferred_username: email,
      email,
      email_verified: isVerified,
    });
    const vouched = told('one', 'lee.work@example.org', true);
    const given = told('two', 'lee.claim@example.org', false);
    for (const facts of [vouched, given]) {
      em.create(Identity, {
        userId: id,
        provider: `provider-${facts.sub}`,
        providerId: facts.sub,
        email: facts.email,
        identityData: facts,
      });
    }
    await em.flush();
    await em.execute('update auth.users set user_metadata = ?::jsonb where id = ?', [JSON.stringify(vouched), id]);

    const exportOf = async (email: string) => (await run('privacy', 'export', '--email', email)).stdout;
    const nothing = { accounts: [], posts: [], audit: [] };
    const ofVouched = await exportOf('Lee.Work@example.org');
    expect(JSON.parse(ofVouched)).toMatchObject({
      ...nothing,
      claimed_identities: [{ provider: 'provider-one', is_verified: true, data: vouched }],
    });
    expect(ofVouched).not.toMatch(/lee@|lee\.claim@/);
    const ofGiven = await exportOf('lee.claim@example.org');
    expect(JSON.parse(ofGiven)).toMatchObject({
      ...nothing,
      claimed_identities: [{ provider: 'provider-two', is_verified: false, data: null }],
    });
    expect(ofGiven).not.toMatch(/lee@|lee\.work@|"Lee"/);
    const own = { accounts: [{ identities: { length: 2 } }], claimed_identities: [] };
    expect(JSON.parse(await exportOf('lee@example.org'))).toMatchObject(own);

    const erase = async (email: string) => await run('privacy', 'erase', '--email', email, '--yes');
    const identities = async () =>
      await em.execute('select email, identity_data from auth.identities where user_id = ? order by provider', [id]);
    expect(await erase('Lee.Work@example.org')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Erased: accounts 0, .*, the address in identities of other accounts 1\.\n$/),
    });
    const forgotten = { sub: 'one', name: 'Lee', email_verified: false };
    expect(await identities()).toEqual([
      { email: null, identity_data: forgotten },
      { email: given.email, identity_data: given },
    ]);
    const person = await em.execute('select email, user_metadata from auth.users where id = ?', [id]);
    expect(person).toEqual([{ email: 'lee@example.org', user_metadata: forgotten }]);
    expect(await erase('lee.claim@example.org')).toMatchObject({
      stdout: expect.stringContaining('other accounts 1.'),
    });
    expect(await erase('lee.claim@example.org')).toMatchObject({
      stdout: expect.stringContaining('other accounts 0.'),
    });
    expect(JSON.stringify(await identities())).not.toContain('@');

    // Of an identity that was unlinked since.
    const former = { name: 'Lee', preferred_username: 'lee.former@example.org' };
    await em.execute('update auth.users set user_metadata = ?::jsonb where id = ?', [JSON.stringify(former), id]);
    expect(await erase('lee.former@example.org')).toMatchObject({ code: 0 });
    const [left] = await em.execute('select user_metadata from auth.users where id = ?', [id]);
    expect(left).toEqual({ user_metadata: { name: 'Lee' } });
  });

  it('leaves nothing to a next run that only the account could tell is of the person', async () => {
    const { id } = await createAccount(app, { email: 'kim@example.org' });
    const em = app.get(EntityManager).fork();
    const subject = { subjectType: 'post', subjectId: randomUUID(), subject: 'Backups' } as const;
    await em.transactional((inner) =>
      app.get(AuditService).record(inner, { kind: 'user', userId: id }, { action: 'post.published', ...subject }),
    );
    // The address that the account had then.
    await em.execute(`update audit_log set actor_email = 'former-kim@example.org' where actor_id = ?`, [id]);
    const lines = async () =>
      await em.execute(
        `select action from audit_log where actor_id = ? or subject_id = ? or actor_email = 'former-kim@example.org'`,
        [id, id],
      );
    expect(await lines()).toHaveLength(1);
    const erase = ['privacy', 'erase', '--email', 'kim@example.org', '--yes'];
    // The database goes away when the account is gone.
    const outage = jest.spyOn(app.get(AuditDataService), 'anonymize').mockRejectedValueOnce(new Error('gone away'));
    expect(await run(...erase)).toMatchObject({ code: 2, stderr: 'Error: gone away\n' });
    outage.mockRestore();
    expect(await run(...erase)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Erased: accounts 0, /) });
    expect(await lines()).toEqual([]);
  });
});

describe('cli mail test', () => {
  it('says whether the mail server takes a mail, in its words', async () => {
    const taken = await run('mail', 'test', 'me@example.org');
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout).toBe('Sent a mail to me@example.org. The mail server took it.\n');
    expect(await sink.mailTo('me@example.org')).toMatchObject({ subject: 'A test from Your IT Team' });
    sink.behave('refuse');
    const refused = await run('mail', 'test', 'me@example.org');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No such person') });
  });

  it('shows nothing of these words that controls a terminal', async () => {
    const answer = new Error('The mail server said: 550 \u202enosrep hcus oN\u2066\u0085\r (gone)');
    const refusal = jest.spyOn(app.get(MailSenderService), 'sendTest').mockRejectedValueOnce(answer);
    const { stderr } = await run('mail', 'test', 'me@example.org');
    refusal.mockRestore();
    expect(stderr).toBe('Error: The mail server said: 550 nosrep hcus oN (gone)\n');
  });
});
