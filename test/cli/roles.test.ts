import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { User } from '../../src/auth/accounts/user.entity.js';
import { createAccount, signIn } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
const roles = (...args: string[]) => runCommand(app, ['roles', ...args]);
/** The same as an operator runs it. */
const rolesAlone = (...args: string[]) => runCli(['roles', ...args], app.environment);

beforeAll(async () => {
  app = await createTestApp({ SITE_LOCKED: 'SITE_EMAIL', SITE_HOURS: 'By appointment' });
  await createAccount(app, { email: 'ada@example.com' });
  await createAccount(app, { email: 'bob@example.com' });
});

describe('cli roles', () => {
  it('makes administrators and lists them', async () => {
    expect(await roles('list')).toMatchObject({ code: 0, stdout: 'There are no administrators yet.\n' });
    const grant = await rolesAlone('grant', 'ada@example.com');
    expect(grant).toMatchObject({ code: 0, stderr: '', stdout: 'ada@example.com is an administrator.\n' });
    const again = await roles('grant', 'ADA@example.com', 'admin');
    expect(again).toMatchObject({ code: 0, stdout: 'ada@example.com is an administrator already.\n' });
    const list = await roles('list', '--json');
    expect(JSON.parse(list.stdout)).toEqual([
      {
        user_id: expect.any(String),
        email: 'ada@example.com',
        role: 'admin',
        may_publish: true,
        created_at: expect.any(String),
      },
    ]);
  });

  it('does not revoke the last administrator, unless forced', async () => {
    const refusal = await roles('revoke', 'ada@example.com');
    expect(refusal).toMatchObject({ code: 2, stdout: '' });
    expect(refusal.stderr).toMatch(/^Error: This is the last administrator: .*\n$/);
    const none = await roles('revoke', 'bob@example.com');
    expect(none).toMatchObject({ code: 0, stdout: 'bob@example.com was no administrator.\n' });
    const forced = await roles('revoke', 'ada@example.com', '--force');
    expect(forced).toMatchObject({ code: 0, stdout: 'ada@example.com is no longer an administrator.\n' });
    expect(await roles('list', '--json')).toMatchObject({ stdout: '[]\n' });
  });

  it('makes authors, who keep one role, and hands over what they did not publish', async () => {
    await roles('grant', 'ada@example.com');
    const author = await roles('grant', 'bob@example.com', 'author');
    expect(author.stdout).toBe('bob@example.com is an author whose posts an administrator publishes.\n');
    const publishing = await roles('grant', 'bob@example.com', '--role', 'author', '--may-publish');
    expect(publishing.stdout).toBe('bob@example.com is an author who may publish.\n');
    expect((await roles('list')).stdout).toMatch(/^admin {3}publishes .* ada@.*\nauthor {2}publishes .* bob@.*\n$/);
    const accounts = await runCommand(app, ['users', 'list']);
    expect(accounts.stdout).toMatch(/^author .* bob@.*\nadmin .* ada@.*\n$/);
    await expect(roles('grant', 'ada@example.com', 'author')).resolves.toMatchObject({ code: 2, stdout: '' });
    await app
      .get(EntityManager)
      .fork()
      .execute(
        `insert into blog_posts (title, slug, content, author, published_date, is_published, owner_id)
         select 'Post ' || n, 'post-' || n, '', '', now(), n = 3, id from auth.users, generate_series(1, 3) n
         where email = 'bob@example.com'`,
      );
    const wrong = await roles('revoke', 'bob@example.com', 'admin');
    expect(wrong.stdout).toBe('bob@example.com was no administrator.\n');
    const revoked = await roles('revoke', 'bob@example.com');
    expect(revoked.stdout).toBe(
      'bob@example.com is no longer an author.\n2 unpublished posts belong to ada@example.com now.\n',
    );
    const owners = await app
      .get(EntityManager)
      .fork()
      .execute('select email from blog_posts join auth.users on users.id = owner_id order by slug');
    expect(owners).toEqual([{ email: 'ada@example.com' }, { email: 'ada@example.com' }, { email: 'bob@example.com' }]);
    await roles('revoke', 'ada@example.com', '--force');
  });

  it('ends the preview links that an administrator made to posts of others', async () => {
    await roles('grant', 'ada@example.com');
    await roles('grant', 'bob@example.com');
    const em = app.get(EntityManager).fork();
    const [post] = await em.execute<{ id: string }[]>(
      `insert into blog_posts (title, slug, content, author, published_date, is_published)
       values ('Linked', 'linked', '', '', now(), false) returning id`,
    );
    const makeLink = async (email: string) => {
      const { accessToken } = await signIn(app, await em.findOneOrFail(User, { email }));
      const headers = { authorization: `Bearer ${accessToken}` };
      const made = await app.inject({ method: 'POST', url: `/api/admin/posts/${post!.id}/preview-links`, headers });
      return new URL(made.json<{ url: string }>().url).pathname;
    };
    const links = [await makeLink('ada@example.com'), await makeLink('bob@example.com')];
    const answers = async () => await Promise.all(links.map(async (link) => (await app.inject(link)).statusCode));
    expect(await answers()).toEqual([200, 200]);
    expect(await rolesAlone('revoke', 'bob@example.com')).toMatchObject({ code: 0, stderr: '' });
    expect(await answers()).toEqual([200, 404]);
    await roles('revoke', 'ada@example.com', '--force');
    await em.execute(`delete from blog_posts where slug = 'linked'`);
  });

  it.each([
    [['grant'], /missing required argument 'user'/],
    [['grant', 'ada@example.com', 'editor'], /Allowed choices are admin, author/],
    [['grant', 'ada@example.com', '--may-publish'], /--may-publish is for authors/],
    [['grant', 'ada@example.com', 'admin', '--role', 'author'], /Which role: admin, or --role author\?/],
    [['grant', 'nobody@example.com'], /There is no user nobody@example\.com/],
    [['revoke', 'nobody@example.com'], /There is no user nobody@example\.com/],
    [['list', 'everyone'], /too many arguments/],
  ])('answers with 2 to roles %j', async (args, stderr) => {
    const run = await roles(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });
});

describe('cli audit', () => {
  const audit = (...args: string[]) => runCommand(app, ['audit', 'list', ...args]);

  it('lists who did what, the latest first, and narrows it', async () => {
    await roles('grant', 'bob@example.com');
    const lines = (await audit('--limit', '1')).stdout;
    expect(lines).toMatch(/^\d{4}-\S+Z {2}operator {2}role\.granted {2}bob@example\.com\n$/);
    const records = JSON.parse(
      (await audit('--json', '--type', 'user', '--action', 'role.granted')).stdout,
    ) as object[];
    expect(records[0]).toMatchObject({ actor: null, actor_kind: 'operator', subject: 'bob@example.com' });
    const none = await audit('--actor', 'nobody@example.com');
    expect(none).toMatchObject({ code: 0, stdout: 'There are no such entries.\n' });
    expect(await audit('--limit', 'many')).toMatchObject({ code: 2, stdout: '' });
  });

  it('lists as many as are asked for, and says where there are earlier ones', async () => {
    await app
      .get(EntityManager)
      .fork()
      .execute(
        `insert into audit_log (at, actor_kind, actor_email, action, subject_type, subject_id, subject)
       select now(), 'user', 'busy@example.com', 'post.saved', 'post', 'post-' || n, 'Title ' || n
       from generate_series(1, 1100) n`,
      );
    const list = async (...args: string[]) => {
      const { stdout, stderr } = await audit('--actor', 'busy@example.com', '--json', ...args);
      const subjects = (JSON.parse(stdout) as { readonly subject: string }[]).map(({ subject }) => subject);
      return { count: new Set(subjects).size, first: subjects[0], last: subjects.at(-1), stderr };
    };
    const stderr = 'There are earlier ones: --limit <number> lists more.\n';
    expect(await list()).toEqual({ count: 50, first: 'Title 1100', last: 'Title 1051', stderr });
    expect(await list('--limit', '1099')).toEqual({ count: 1099, first: 'Title 1100', last: 'Title 2', stderr });
    for (const limit of ['1100', '5000']) {
      expect(await list('--limit', limit)).toEqual({ count: 1100, first: 'Title 1100', last: 'Title 1', stderr: '' });
    }
  });
});

describe('cli settings and cli site', () => {
  const settings = (...args: string[]) => runCommand(app, ['settings', ...args]);
  const read = async (path: string) => (await app.inject(path)).body;
  const file = (text: string) => {
    const path = join(temporaryFolder(), 'site.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('list what is said and by whom, and change it on every page at once', async () => {
    const list = JSON.parse((await settings('list', '--json')).stdout) as { name: string }[];
    const said = { is_ignored: false, is_overruled: false };
    expect(list.filter(({ name }) => /^(?:phone|email|hours)$/.test(name))).toEqual([
      { name: 'phone', value: '(555) 010-0100', source: 'default', variable: 'SITE_PHONE', ...said },
      { name: 'email', value: 'hello@example.com', source: 'locked', variable: 'SITE_EMAIL', ...said },
      { name: 'hours', value: 'By appointment', source: 'setting', variable: 'SITE_HOURS', ...said },
    ]);
    await read('/');
    expect(await settings('set', 'phone', ' (555)  010-0150 ')).toMatchObject({
      code: 0,
      stdout: 'phone: (555) 010-0100 -> (555) 010-0150\n',
    });
    expect(await read('/')).toContain('href="tel:+15550100150"');
    expect((await settings('get', 'phone')).stdout).toBe('(555) 010-0150\n');
    expect((await settings('set', 'phone', '(555) 010-0150')).stdout).toBe('It is so already.\n');
    expect((await settings('set', 'claim_clients', 'yes')).stdout).toBe('claim_clients: yes (an example until now)\n');
    await settings('set', 'hours', 'At night');
    expect((await settings('list')).stdout).toMatch(/hours +At night +setting \(SITE_HOURS is ignored\)/);
    const audit = JSON.parse((await runCommand(app, ['audit', 'list', '--json'])).stdout) as object[];
    expect(audit[0]).toMatchObject({
      actor_kind: 'operator',
      action: 'settings.published',
      details: { changed: 'hours' },
    });
  });

  it('refuse what is locked, unknown or not valid, by name, and change nothing', async () => {
    const before = (await settings('list', '--json')).stdout;
    for (const [name, value, reason] of [
      ['email', 'me@it.company', /email: is locked: SITE_EMAIL says it/],
      ['email', 'jörg@it.company', /email: Email can have letters such as ö after the @ only/],
      ['phnoe', '1', /phnoe: there is no such setting; did you mean phone\?/],
      ['SITE_PHONE', '1', /did you mean phone\?/],
      ['help_desk_url', 'javascript:alert(1)', /help_desk_url: Help desk must begin with https/],
      ['name', '', /name: Name is required/],
    ] as const) {
      const result = await settings('set', name, value);
      expect({ ...result, name }).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
    }
    const faults = file(
      'company:\n  phone: 5\n  email: me@it.company\n  nmae: x\n  claim_clients: maybe\n  hours: Never\n',
    );
    const { code, stderr } = await runCommand(app, ['site', 'import', faults]);
    expect(code).toBe(2);
    expect(stderr.match(/company\.\w+/g)!.sort()).toEqual(
      ['company.claim_clients', 'company.email', 'company.nmae', 'company.phone'].sort(),
    );
    expect((await settings('list', '--json')).stdout).toBe(before);
  });

  it('say hours by day on the page and for search engines, in the place of words', async () => {
    expect(await settings('set', 'open_monday', 'always')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching('08:00-18:00'),
    });
    for (const [day, hours] of [
      ['monday', '8:00-18:00'],
      ['saturday', '10:00-14:00'],
      ['sunday', 'closed'],
    ] as const) {
      await settings('set', `open_${day}`, hours);
    }
    const page = await read('/');
    expect(page).toContain('Monday, 8 AM to 6 PM; Saturday, 10 AM to 2 PM');
    expect(page).toMatch(
      /"openingHoursSpecification":\[\{[^}]*Monday"\],"opens":"08:00","closes":"18:00"\},\{[^}]*Saturday"/,
    );
    expect((await settings('set', 'hours', 'In spring')).stdout).toMatch(/Pages say something else: the days/);
    expect(await read('/')).not.toContain('In spring');
    const listed = JSON.parse((await settings('list', '--json')).stdout) as object[];
    expect(listed).toContainEqual(expect.objectContaining({ name: 'hours', value: 'In spring', is_overruled: true }));
    for (const day of ['monday', 'saturday', 'sunday']) await settings('set', `open_${day}`, '');
    expect(await read('/')).toContain('In spring');
    await settings('set', 'hours', 'At night');
  });

  it('bring the file of a logo in, under the name that it had on another site', async () => {
    const name = `${'c'.repeat(32)}-90x30.png`;
    const path = join(temporaryFolder(), name);
    writeFileSync(path, 'no picture');
    expect(await settings('set', 'logo', path)).toMatchObject({ code: 2, stdout: '' });
    const create = { width: 90, height: 30, channels: 3, background: '#0b4f8a' } as const;
    writeFileSync(path, await sharp({ create }).png().toBuffer());
    const { stdout, stderr } = await settings('set', 'logo', path);
    expect([stdout, stderr]).toEqual([`logo: (nothing) -> /media/${name}\n`, '']);
    expect(await read('/')).toContain(`src="/media/${name}" width="90" height="30"`);
    await settings('set', 'logo', '');
    expect(await read('/')).not.toContain(name);
  });

  it('take a file that was exported, all of it or nothing', async () => {
    const { stdout: exported } = await runCommand(app, ['site', 'export']);
    expect(exported).toMatch(/^# email is locked: SITE_EMAIL says it$/m);
    const same = await runCommand(app, ['site', 'import', file(exported)]);
    expect(same).toMatchObject({ code: 0, stdout: '0 settings changed\n' });
    const path = file(exported.replace('At night', 'On Sundays'));
    // A word for another: what was to be imported is there still.
    const confused = await runCommand(app, ['site', 'export', path]);
    expect(confused).toMatchObject({ code: 2, stderr: `Error: ${path} is there already (--force replaces it)\n` });
    const dry = await runCommand(app, ['site', 'import', path, '--dry-run']);
    expect(dry.stdout).toBe('hours: At night -> On Sundays\n1 setting changed (dry run: nothing was written)\n');
    expect((await settings('get', 'hours')).stdout).toBe('At night\n');
    expect(await runCommand(app, ['site', 'import', path])).toMatchObject({ code: 0 });
    expect(await read('/')).toContain('On Sundays');
  });
});
