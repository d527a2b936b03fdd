import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import bcrypt from 'bcryptjs';
import { AuditRecord } from '../../src/audit/audit-entry.entity.js';
import { Identity } from '../../src/auth/accounts/identity.entity.js';
import { User } from '../../src/auth/accounts/user.entity.js';
import { createAccount } from '../support/accounts.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { runCommand } from '../support/command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const idOf = (number: number) => `0197a0c4-5b5e-4c3a-9d57-${String(number).padStart(12, '0')}`;
const COLUMNS = [
  'instance_id,id,email,encrypted_password,email_confirmed_at,last_sign_in_at,raw_app_meta_data,raw_user_meta_data',
  'created_at,phone,phone_confirmed_at,banned_until,deleted_at,is_anonymous,is_sso_user',
].join(',');

interface Row {
  readonly id: string;
  readonly [column: string]: string;
}

let server: AuthServer;
let folder: string;
let hash: string;

/** As CSV, with what the row does not say empty. */
function toCsv(rows: readonly Row[]): string {
  const quote = (value = '') => (value === '' ? '' : `"${value.replaceAll('"', '""')}"`);
  const lines = rows.map((row) =>
    COLUMNS.split(',')
      .map((name) => quote(row[name]))
      .join(','),
  );
  return `\ufeff${[COLUMNS, ...lines].join('\r\n')}\r\n`;
}

const save = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const cli = (...args: string[]) => runCommand(server.app, ['users', 'import', ...args]);
async function importJson(file: string, ...flags: string[]) {
  const { stdout, code } = await cli(file, '--json', ...flags);
  const { items, counts } = JSON.parse(stdout) as {
    items: { file: string; outcome: string; reasons: string[]; warnings: string[] }[];
    counts: Record<string, number>;
  };
  return { code, counts, items };
}
const find = (id: string) => server.app.get(EntityManager).fork().findOne(User, { id });
const countUsers = () => server.app.get(EntityManager).fork().count(User);
const signIn = async (email: string, password: string) =>
  (await server.call('/token?grant_type=password', { method: 'POST', body: { email, password } })).body;

beforeAll(async () => {
  server = await startAuthServer();
  folder = temporaryFolder();
  hash = bcrypt.hashSync('the password from there', 4).replace('$2b$', '$2a$');
});

describe('cli users import', () => {
  const ann = (): Row => ({
    instance_id: '00000000-0000-0000-0000-000000000000',
    id: idOf(1),
    email: 'Ann@Example.com',
    encrypted_password: hash,
    email_confirmed_at: '2023-05-01 10:00:00.123456+00',
    last_sign_in_at: '2024-02-03 04:05:06+05:30',
    raw_app_meta_data: '{"provider": "email", "providers": ["email"]}',
    raw_user_meta_data: '{"full_name": "Ann \\"A\\" Example"}',
    created_at: '2023-04-30 09:00:00+00',
    is_anonymous: 'f',
  });
  const unconfirmed = (): Row => ({ id: idOf(2), email: 'bob@example.com', encrypted_password: hash });

  it('is predicted by a dry run, which writes nothing', async () => {
    const file = save('users.csv', toCsv([ann(), unconfirmed()]));
    const predicted = await cli(file, '--dry-run', '--report', join(folder, 'report.json'));
    expect(predicted).toMatchObject({ code: 0 });
    expect(predicted.stdout).toBe(
      'created    row 2: Ann@Example.com\ncreated    row 3: bob@example.com\n\n' +
        '2 created, 0 updated, 0 unchanged, 0 refused (dry run: nothing was written)\n',
    );
    expect(statSync(join(folder, 'report.json')).mode & 0o077).toBe(0);
    expect(await countUsers()).toBe(0);
    expect((await cli(file)).stdout).toBe(predicted.stdout.replace(/ \(dry run.*\)/, ''));
  });

  it('does not write its report over what it imports', async () => {
    const text = toCsv([ann()]);
    const file = save('own.csv', text);
    const link = join(folder, 'link.csv');
    symlinkSync(file, link);
    for (const report of [file, link]) {
      const run = await cli(file, '--report', report);
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${report} is what would be`) });
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('takes nothing in where its report cannot be written', async () => {
    const before = await countUsers();
    const file = save('reported.csv', toCsv([{ id: idOf(3), email: 'carl@example.com' }]));
    for (const [report, reason] of [
      [join(folder, 'mistyped', 'report.json'), 'cannot be written: ENOENT'],
      [folder, 'is a folder'],
    ] as const) {
      const stderr = expect.stringContaining(`${report} ${reason}`);
      expect(await cli(file, '--report', report)).toMatchObject({ code: 2, stdout: '', stderr });
    }
    expect(await countUsers()).toBe(before);
  });

  it('lets people sign in with the passwords they have, over HTTP', async () => {
    const session = await signIn('ann@example.com', 'the password from there');
    expect(session).toMatchObject({
      user: {
        id: idOf(1),
        email: 'ann@example.com',
        created_at: '2023-04-30T09:00:00.000Z',
        email_confirmed_at: '2023-05-01T10:00:00.123Z',
        user_metadata: { full_name: 'Ann "A" Example' },
        app_metadata: { provider: 'email', providers: ['email'] },
        identities: [{ provider: 'email', identity_data: { email: 'ann@example.com', email_verified: true } }],
      },
    });
    expect((await find(idOf(1)))?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await signIn('ann@example.com', 'another')).toMatchObject({ code: 'invalid_credentials' });
    const answer = await signIn('bob@example.com', 'the password from there');
    expect(answer).toMatchObject({ code: 'email_not_confirmed' });
  });

  it('changes nothing the second time, and never a password that was used here', async () => {
    const other = bcrypt.hashSync('changed there', 4);
    const again = [{ ...ann(), encrypted_password: other }, unconfirmed()];
    expect((await importJson(save('again.csv', toCsv(again)))).counts).toMatchObject({ unchanged: 2 });
    expect(await signIn('ann@example.com', 'the password from there')).toHaveProperty('access_token');

    const moved = { ...unconfirmed(), encrypted_password: other, email_confirmed_at: '2024-01-01T00:00:00Z' };
    const file = save('moved.json', JSON.stringify([moved]));
    expect((await importJson(file)).counts).toMatchObject({ updated: 1 });
    expect((await importJson(file)).counts).toMatchObject({ unchanged: 1 });
    expect(await signIn('bob@example.com', 'changed there')).toHaveProperty('access_token');
  });

  it('notes what it did', async () => {
    const lines = await server.app.get(EntityManager).fork().find(AuditRecord, { action: 'user.imported' });
    expect(lines.map(({ subject, details }) => [subject, details])).toEqual([
      ['ann@example.com', { outcome: 'created' }],
      ['bob@example.com', { outcome: 'created' }],
      ['bob@example.com', { outcome: 'updated' }],
    ]);
    expect(await server.app.get(EntityManager).fork().count(Identity)).toBe(2);
  });

  it('says of every row why it is not taken, or not whole, and takes the others', async () => {
    const holder = await createAccount(server.app, { email: 'taken@example.com' });
    const person = (number: number, more: object = {}) => ({
      id: idOf(number),
      email: `person${number}@old.example`,
      encrypted_password: hash,
      ...more,
    });
    const rows: [unknown, string, string?][] = [
      [person(10), 'created'],
      [person(10, { email: 'x@old.example' }), 'refused', 'its id or an address of it is that of row 1: person10@old'],
      [person(11, { email: 'PERSON10@old.example' }), 'refused', 'is that of row 1: person10@old.example already'],
      [
        person(12, { email: 'taken@example.com' }),
        'refused',
        `another account here has this email address (${holder.id})`,
      ],
      [person(13, { id: '13' }), 'refused', "its id is not a UUID: '13'"],
      [person(14, { email: 'no address' }), 'refused', 'invalid format'],
      [person(15, { email: null }), 'refused', 'has no email address and no phone number'],
      [person(16, { email: '', phone: '4915112345678' }), 'created'],
      [person(17, { deleted_at: '2024-01-01 00:00:00+00' }), 'skipped', 'was deleted'],
      [person(18, { is_anonymous: true }), 'skipped', 'an anonymous user'],
      [person(19, { is_sso_user: true }), 'skipped', 'single sign-on'],
      [person(20, { created_at: 'yesterday' }), 'refused', "created_at is no time: 'yesterday'"],
      [person(21, { raw_user_meta_data: '{broken' }), 'refused', 'raw_user_meta_data is not valid JSON'],
      [person(22, { raw_user_meta_data: [1] }), 'refused', 'raw_user_meta_data is not a JSON object'],
      [person(23, { raw_user_meta_data: { a: ['\0'] } }), 'refused', 'raw_user_meta_data holds characters'],
      [person(24, { raw_app_meta_data: { '\ud800': 1 } }), 'refused', 'raw_app_meta_data holds characters'],
      [person(25, { email: 'a\0@old.example' }), 'refused', 'email holds characters that no text has'],
      [person(26, { email: 5 }), 'refused', 'email is not a text'],
      [person(27, { is_anonymous: 'perhaps' }), 'refused', 'is_anonymous is neither true nor false'],
      [person(28, { encrypted_password: '' }), 'created', 'has no password; the person sets one'],
      [
        person(29, { encrypted_password: '$fbscrypt$v=1,n=14$abc' }),
        'created',
        'a form that is not accepted (fbscrypt)',
      ],
      [person(30, { encrypted_password: hash.replace('$04$', '$31$') }), 'created', 'a form that is not accepted (2a)'],
      [
        person(31, { encrypted_password: `$argon2id$v=19$m=999999,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}` }),
        'created',
        '(argon2id)',
      ],
      [person(32, { banned_until: 'infinity' }), 'created'],
      [['no', 'row'], 'refused', 'is no row at all'],
      [null, 'refused', 'is no row at all'],
    ];
    const { code, items, counts } = await importJson(save('rows.json', JSON.stringify(rows.map(([row]) => row))));
    expect(items.map(({ outcome }) => outcome)).toEqual(rows.map(([, outcome]) => outcome));
    for (const [index, [, , reason]] of rows.entries()) {
      const { reasons, warnings } = items[index]!;
      expect([...reasons, ...warnings]).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
    }
    expect([code, counts]).toEqual([1, { created: 7, updated: 0, unchanged: 0, skipped: 3, refused: 16 }]);
    expect((await find(idOf(30)))?.passwordHash).toBeNull();
    expect((await find(idOf(16)))?.phone).toBe('4915112345678');
    expect(await signIn('person32@old.example', 'the password from there')).toMatchObject({ code: 'user_banned' });
  });

  it('refuses a file that is not in UTF-8, of which names would lose letters', async () => {
    const before = await countUsers();
    const [csv, json] = ['latin.csv', 'latin.json'].map((name) => join(folder, name)) as [string, string];
    const user = { id: idOf(50), email: 'p50@old.example', raw_user_meta_data: '{"full_name": "J\u00fcrgen"}' };
    writeFileSync(csv, Buffer.from(toCsv([user]).slice(1), 'latin1'));
    writeFileSync(json, Buffer.from(JSON.stringify([user]), 'latin1'));
    for (const file of [csv, json]) {
      const stderr = expect.stringContaining('it is not in UTF-8');
      expect(await cli(file)).toMatchObject({ code: 2, stdout: '', stderr });
    }
    expect(await countUsers()).toBe(before);
    expect((await importJson(save('utf8.csv', toCsv([user])))).counts).toMatchObject({ created: 1 });
    expect((await find(idOf(50)))?.userMetadata).toEqual({ full_name: 'J\u00fcrgen' });
  });

  it('reads a file of many pieces whole, whatever is loaded meanwhile', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      id: `no-${index}`,
      email: `${'ü'.repeat(90)}${index}@x.example`,
    }));
    for (const [name, text] of [
      ['large.csv', toCsv(rows)],
      ['large.json', JSON.stringify(rows)],
    ] as const) {
      const { counts, items } = await importJson(save(name, text), '--dry-run');
      expect(counts).toMatchObject({ created: 0, refused: 3000 });
      expect(items.at(-1)?.file).toContain(`${'ü'.repeat(90)}2999@x.example`);
    }
  });

  it('takes what comes before the place at which a file breaks, and says where that is', async () => {
    const before = await countUsers();
    const whole = toCsv([{ id: idOf(40), email: 'p40@old.example' }]);
    const broken = await cli(save('broken.csv', `${whole}short,row\r\n"${idOf(41)}`));
    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(broken.stdout).toMatch(
      /refused {4}broken\.csv\n {11}reason: the file cannot be read after row 3: .+\n\n1 created/,
    );
    expect(await countUsers()).toBe(before + 1);
    const cut = await importJson(
      save('cut.json', JSON.stringify([{ id: idOf(42), email: 'p42@old.example' }]).slice(0, -1)),
    );
    expect(cut).toMatchObject({ code: 1, counts: { created: 1, refused: 1 } });
    for (const [name, text, reason] of [
      ['posts.csv', 'title,slug\na,b\n', 'names no column id'],
      ['object.json', '{"users": []}', 'is not a list of users'],
    ] as const) {
      expect(await cli(save(name, text))).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(reason),
      });
    }
    expect(await cli(join(folder, 'nothing.csv'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such'),
    });
  });
});
