import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { buildForm, createAdministrator, holdClock } from '../support/admin-posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { startProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ SITE_TIME_ZONE: 'America/New_York' });
  holdClock(app, '2026-03-01T10:00:00Z');
});

const posts = (...args: string[]) => runCommand(app, ['posts', ...args]);

describe('a post that is shown, edited and created as Markdown', () => {
  const { VISUAL, EDITOR } = process.env;
  afterEach(() => {
    process.env = {
      ...process.env,
      ...(VISUAL === undefined ? {} : { VISUAL }),
      ...(EDITOR === undefined ? {} : { EDITOR }),
    };
  });

  /** Edits with a script in which `$1` is the file. */
  const editing = async (script: string, args: readonly string[], input = '') => {
    const file = join(temporaryFolder(), 'an editor.sh');
    writeFileSync(file, `set -e\n${script}\n`);
    process.env = { ...process.env, VISUAL: '', EDITOR: `sh '${file}'` };
    return await runCommand(app, ['posts', ...args], input, { isTerminal: input !== '' });
  };
  const kept = (stderr: string) => / kept in (\/\S+)/.exec(stderr)?.[1] ?? '';
  const textOf = async (slug: string) => (await posts('show', slug)).stdout;
  const versionOf = async (slug: string) =>
    (JSON.parse((await posts('show', slug, '--json')).stdout) as { version: number }).version;

  beforeAll(async () => {
    await createPosts(app, [
      { slug: 'e-edited', title: 'Edited', content: '<p>One</p><p>Two</p>', excerpt: null, tags: ['1.0'] },
      { slug: 'f-taken' },
    ]);
  });

  it('is saved as in the editor of the browser, and only if it says something else', async () => {
    const before = await versionOf('e-edited');
    expect(await editing(':', ['edit', 'e-edited'])).toMatchObject({ code: 0, stdout: 'unchanged  e-edited\n' });
    const blanks = await editing('printf "\\n\\n" >> "$1"', ['edit', 'e-edited']);
    expect(blanks).toMatchObject({ code: 0, stdout: 'unchanged  e-edited\n', stderr: '' });
    expect(await versionOf('e-edited')).toBe(before);

    const script = `sed -i 's/^Two$/**Three** <blink>x<\\/blink>/; s/^title: .*/title: Other/; s/^slug: .*/slug: e-moved/' "$1"`;
    const run = await editing(script, ['edit', 'e-edited']);
    expect(run).toMatchObject({ code: 0, stdout: 'saved  e-moved (published)\n' });
    expect(run.stderr).toBe('note: markup was taken off, its text stays: 1 x <blink>\n');
    expect(await textOf('e-moved')).toMatch(
      /^---\ntitle: Other\nslug: e-moved\ndate: 2025-01-05T20:00:00\.000Z\ndraft: false\n[^]*tags:\n {2}- "1\.0"\naliases:\n {2}- \/blogs\/e-edited\n[^]*\n---\n\nOne\n\n\*\*Three\*\* x\n$/,
    );
    const [entry] = await app
      .get(EntityManager)
      .fork()
      .execute<{ action: string; actor_kind: string }[]>(
        `select * from audit_log where subject = 'Other' order by id desc`,
      );
    expect(entry).toMatchObject({ action: 'post.saved' });
  });

  it('is dated by its line of the date alone', async () => {
    await editing(`sed -i 's/^date: .*/date: 2024-05-06 07:08/' "$1"`, ['edit', 'f-taken']);
    expect(await textOf('f-taken')).toContain('\ndate: 2024-05-06T11:08:00.000Z\n');
    const wrong = await editing(`sed -i 's/^date: .*/date: 2024-02-30/' "$1"`, ['edit', 'f-taken']);
    expect(wrong.stderr).toMatch(/^Error: line 4: date is none like 2026-01-31/);
    rmSync(dirname(kept(wrong.stderr)), { recursive: true });
  });

  it.each([
    [
      's/^title: .*/title: 2024/',
      /^Error: line 2: title is not a text: put it in quotation marks\nWhat you wrote is kept in /,
    ],
    ['s/^title: .*/title: ""/', /^Error: line 2: Title is required\n/],
    ['s/^title: .*/title: "a/', /^Error: the front matter is broken in line 2: a quotation mark is opened/],
    ['s/^author: /autor: /', /^Error: line 6: autor is no field of a post; there are title, slug, excerpt, author,/],
    ['s/^draft: .*/draft: true/', /^Error: line 5: draft is not changed here: posts publish, posts unpublish\n/],
    [
      's/^slug: .*/slug: f-taken/',
      /^Error: line 3: Another post has, or had, this address: f-taken; f-taken-2 is free\n/,
    ],
    [
      's/^One$/![](https:\\/\\/elsewhere.example\\/x.png)/',
      /^Error: Pictures of other sites are not shown. Upload them/,
    ],
    ['$ a x\n1 d', /^Error: the file has no front matter/],
  ])('is not lost when it cannot be saved: %j', async (script, message) => {
    const before = await textOf('e-moved');
    const run = await editing(`sed -i '${script}' "$1"`, ['edit', 'e-moved']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
    const file = kept(run.stderr);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(dirname(file)).mode & 0o077).toBe(0);
    expect(await textOf('e-moved')).toBe(before);
    rmSync(dirname(file), { recursive: true });
  });

  it('can be repaired at a terminal, and stays in its file when somebody else was faster or the editor fails', async () => {
    const twice = `if grep -q '^title: 1$' "$1"; then sed -i 's/^title: 1$/title: Repaired/' "$1"; else sed -i 's/^title: .*/title: 1/' "$1"; fi`;
    const repaired = await editing(twice, ['edit', 'e-moved'], 'yes\n');
    expect(repaired).toMatchObject({ code: 0, stdout: 'saved  e-moved (published)\n' });
    expect(repaired.stderr).toContain('line 2: title is not a text');
    const left = await editing(`sed -i 's/^title: .*/title: 1/' "$1"`, ['edit', 'e-moved'], 'no\n');
    expect(left.code).toBe(2);
    expect(readFileSync(kept(left.stderr), 'utf8')).toContain('title: 1\n');
    rmSync(dirname(kept(left.stderr)), { recursive: true });

    const ada = await createAdministrator(app, 'faster@example.com');
    const { id, version } = JSON.parse((await posts('show', 'e-moved', '--json')).stdout) as {
      id: string;
      version: number;
    };
    const gate = join(temporaryFolder(), 'go');
    const opened = `${gate}-opened`;
    const slow = editing(
      `: > '${opened}'; while [ ! -e '${gate}' ]; do sleep 0.02; done; sed -i 's/^One$/Late/' "$1"`,
      ['edit', 'e-moved'],
    );
    await until(() => existsSync(opened));
    const faster = { ...buildForm({ slug: 'e-moved', title: 'Faster' }), version };
    expect((await ada.call('PUT', `/posts/${id}`, faster)).status).toBe(200);
    writeFileSync(gate, '');
    const late = await slow;
    expect(late.code).toBe(2);
    expect(late.stderr).toMatch(
      /^Error: somebody changed or removed the post in the meantime, and nothing was saved\n/,
    );
    expect(readFileSync(kept(late.stderr), 'utf8')).toContain('\nLate\n');
    rmSync(dirname(kept(late.stderr)), { recursive: true });
    expect(await textOf('e-moved')).toContain('\ntitle: Faster\n');

    const failed = await editing(`echo "$1" > '${gate}'; exit 3`, ['edit', 'e-moved']);
    expect(failed).toMatchObject({ code: 2, stderr: 'Error: the editor ended with code 3\nNothing was changed.\n' });
    expect(existsSync(readFileSync(gate, 'utf8').trim())).toBe(false);
  });

  it('is not saved from an editor that writes another encoding, or leaves its text under another name or nowhere', async () => {
    const before = await textOf('e-moved');
    const latin = await editing(`printf 'caf\\351\\n' >> "$1"`, ['edit', 'e-moved']);
    expect(latin).toMatchObject({ code: 2, stdout: '' });
    expect(latin.stderr).toMatch(/^Error: the file is not in UTF-8\nWhat you wrote is kept in /);
    expect(readFileSync(kept(latin.stderr)).at(-2)).toBe(0xe9);
    rmSync(dirname(kept(latin.stderr)), { recursive: true });

    const gone = await editing('rm "$1"', ['edit', 'e-moved']);
    expect(gone).toMatchObject({ code: 2, stderr: 'Error: the editor left no file\nNothing was changed.\n' });
    const moved = await editing('mv "$1" "$1~"', ['edit', 'e-moved']);
    const backup = /^Error: the editor left no file\nThe editor left (\/.*~)\n$/.exec(moved.stderr)?.[1] ?? '';
    expect(readFileSync(backup, 'utf8')).toBe(before);
    rmSync(dirname(backup), { recursive: true });
    expect(await textOf('e-moved')).toBe(before);
  });

  itSlow('stays in its file, which is named, where Ctrl+C ends the saving', async () => {
    // A database that never answers.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const asked = once(silent, 'connection');
      const creating = startProcess(
        ['dist/cli.js', 'posts', 'create', '-', '--title', 'Long'],
        {
          DATABASE_URL: `postgresql://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`,
          NODE_ENV: 'test',
          DATA_DIR: temporaryFolder(),
          TMPDIR: temporaryFolder(),
        },
        undefined,
        'Written for an hour.\n',
      );
      await asked;
      const { signal, stdout, stderr } = await creating.stop('SIGINT');
      expect({ signal, stdout }).toEqual({ signal: 'SIGINT', stdout: '' });
      expect(stderr).toMatch(/^\nNobody knows whether it was saved\. What you wrote is kept in \/\S+\n$/);
      expect(readFileSync(kept(stderr), 'utf8')).toBe('Written for an hour.\n');
    } finally {
      silent.close();
    }
  });

  it('is not saved over edits that nobody saved, unless that is wanted: then they are kept', async () => {
    const ada = await createAdministrator(app, 'typing@example.com');
    const { id, version } = JSON.parse((await posts('show', 'e-moved', '--json')).stdout) as {
      id: string;
      version: number;
    };
    const copy = { version, fields: { ...buildForm(), slug: 'e-moved', title: 'Half typed' } };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, copy)).status).toBe(200);
    const shown = await posts('show', 'e-moved');
    expect(shown.stdout).toContain('title: Faster');
    expect(shown.stderr).toMatch(/^note: it has edits of typing@example\.com that nobody saved/);
    const script = `sed -i 's/^title: .*/title: Corrected/' "$1"`;
    const refused = await editing(script, ['edit', 'e-moved']);
    expect(refused.stderr).toMatch(/save or discard them in the admin area, or give --replace-edits/);
    expect((await editing(script, ['edit', 'e-moved', '--replace-edits'])).code).toBe(0);
    const { body } = await ada.call<{ items: { title: string }[] }>('GET', `/posts/${id}/revisions`);
    expect(body.items.slice(0, 2).map(({ title }) => title)).toEqual(['Corrected', 'Half typed']);
  });

  it('is made of a file, of the standard input or in an editor, as a draft', async () => {
    const file = join(temporaryFolder(), 'notice.md');
    writeFileSync(file, '---\ntitle: In the file\ndraft: false\nid: 1\ntags: a, b\n---\n\nWe are ==closed==.\n');
    const made = await posts('create', file, '--title', 'Closed on Friday');
    expect(made).toMatchObject({ code: 0, stdout: 'created  closed-on-friday (not published)\n' });
    expect(made.stderr).toBe(
      'note: --title took the place of the title in the text: In the file\n' +
        'note: not taken from the text, as it is a new post: draft, id\n',
    );
    expect(await textOf('closed-on-friday')).toMatch(
      /draft: true\n[^]*tags:\n {2}- a\n {2}- b\n[^]*<mark>closed<\/mark>/,
    );
    expect((await posts('create', file, '--title', 'Closed on Friday')).stderr).toMatch(
      /^Error: Another post has, or had, this address: closed-on-friday; closed-on-friday-2 is free\n$/,
    );
    const piped = await runCommand(app, ['posts', 'create', '-', '--title', 'Piped', '--publish'], 'Text\n');
    expect(piped).toMatchObject({ code: 0, stdout: 'created  piped (published)\n', stderr: '' });
    const nameless = await runCommand(app, ['posts', 'create', '-'], 'Text\n');
    expect(nameless.stderr).toMatch(/^Error: Title is required\nThe text is kept in /);
    expect(readFileSync(kept(nameless.stderr), 'utf8')).toBe('Text\n');
    rmSync(dirname(kept(nameless.stderr)), { recursive: true });
    const written = await editing(`sed -i 's/^title:/title: Written/' "$1"; echo Hello >> "$1"`, ['create']);
    expect(written).toMatchObject({ code: 0, stdout: 'created  written (not published)\n', stderr: '' });
    expect((await editing(':', ['create'])).stdout).toBe('Nothing was written, and nothing created.\n');
    expect((await posts('show', 'nothing')).stderr).toBe('Error: no post has the slug nothing\n');
    expect((await posts('show', 'https://a.example/blogs/written/?x#y')).stderr).toBe(
      'Error: no post has the slug https://a.example/blogs/written/?x#y: the slug in it would be written\n',
    );
    expect((await posts('show', 'written ')).stderr).toMatch(/ the slug in it would be written\n$/);
    const folder = temporaryFolder();
    expect(await posts('create', folder)).toMatchObject({ code: 2, stderr: `Error: ${folder} is a folder\n` });
  });
});
