import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { ImportReport } from '../../src/shared/contracts/import-report.js';
import { runCli } from '../support/cli.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { startProcess, startServer } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until, untilEqual } from '../support/until.js';

const fixtures = fileURLToPath(new URL('../fixtures/markdown', import.meta.url));
let environment: Variables;
const cli = (...args: string[]) => runCli(args, environment);
const assets = ['--assets', join(fixtures, 'assets')];
const source = ['--source', 'samples.example'];

beforeAll(async () => {
  environment = testEnvironment({ databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() }, {});
});

describe('cli posts', () => {
  it('imports beside a running server, which shows and hides posts within a second', async () => {
    const server = await startServer(environment);
    const page = async (path: string) => {
      const answer = await fetch(`${server.url}${path}`);
      return { status: answer.status, html: await answer.text() };
    };
    // A first page may take longer on a busy machine than the database has for it.
    await until(async () => (await page('/blogs')).html.includes('No blog posts available yet'));

    const run = await cli('posts', 'import', join(fixtures, 'good'), ...source, ...assets, '--publish');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('created    sub/undated.md -> without-a-date (draft)\n');
    expect(run.stdout).toContain(
      '\n3 created (1 of them as a draft), 0 updated, 0 unchanged, 0 refused; 3 old addresses lead on\n',
    );
    await until(async () => (await page('/blogs')).html.includes('The first post: a table'));
    expect((await page('/blogs/first-post')).status).toBe(200);

    const hide = await cli('posts', 'unpublish', 'first-post');
    expect(hide).toMatchObject({ code: 0, stdout: 'unpublished  first-post\n1 unpublished\n' });
    await until(async () => (await page('/blogs/first-post')).status === 404);
    for (const path of ['/blogs', '/sitemap.xml', '/rss.xml', '/api/posts']) {
      expect((await page(path)).html).not.toContain('first-post');
    }
    await server.stop();
  });

  itSlow('imports redirects beside a running server, which follows them', async () => {
    const server = await startServer(environment);
    // A first page may take longer on a busy machine than the database has for it.
    await untilEqual(async () => (await fetch(`${server.url}/2015/03/second_post.php`)).status, 404);
    const old = join(temporaryFolder(), 'old.csv');
    writeFileSync(old, 'path,target\n/2015/03/Second%5fPost.php/,/blogs/second-post\n');
    const redirects = await cli('redirects', 'import', old);
    expect(redirects).toMatchObject({ code: 0, stderr: '' });
    const moved = await fetch(`${server.url}/2015/03/Second_Post.php/?p=1`);
    expect([moved.status, moved.redirected, moved.url]).toEqual([200, true, `${server.url}/blogs/second-post`]);
    await server.stop();
  });

  itSlow('says the same twice, as text and as JSON', async () => {
    const file = join(temporaryFolder(), 'report.json');
    const flags = [...source, ...assets, '--json', '--report', file];
    const run = await cli('posts', 'import', join(fixtures, 'good'), ...flags);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: readFileSync(file, 'utf8') });
    const report = JSON.parse(run.stdout) as ImportReport & { counts: object };
    expect(report.counts).toEqual({ created: 0, updated: 0, unchanged: 3, skipped: 0, refused: 0 });
    expect(report.items.map(({ file, outcome }) => [file, outcome])).toEqual([
      ['2015-03-17-first-post.md', 'unchanged'],
      ['sub/second-post.markdown', 'unchanged'],
      ['sub/undated.md', 'unchanged'],
    ]);
  });

  it('answers with 1 when some posts were refused, and names them', async () => {
    const folder = join(temporaryFolder(), 'bad');
    mkdirSync(folder);
    for (const name of ['fine.md', 'fine.png', 'latin-1.md']) cpSync(join(fixtures, 'bad', name), join(folder, name));
    // As an old disk has them, of which Node's lists only say that there are other bytes.
    const [file, subfolder] = ['na\xefve.md', 'r\xe9sum\xe9s'].map((name) => Buffer.from(join(folder, name), 'latin1'));
    writeFileSync(file!, 'A text.');
    mkdirSync(subfolder!);
    const run = await cli('posts', 'import', folder, ...source);
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(run.stdout).toMatch(
      /^created {4}fine\.md -> fine \(draft\)\nrefused {4}latin-1\.md\n {11}reason: the file is not in UTF-8/,
    );
    for (const [name, kind] of [
      ['na.ve\\.md', 'file'],
      ['r.sum.s', 'folder'],
    ] as const) {
      const refused = `^refused {4}${name}\n {11}reason: the ${kind} cannot be read: its name is not in UTF-8$`;
      expect(run.stdout).toMatch(new RegExp(refused, 'm'));
    }
    expect(run.stdout).toContain(', 3 refused');
  });

  const mistakes: readonly [args: string[], stdout: RegExp, stderr: RegExp][] = [
    [['import', join(fixtures, 'bad/latin-1.md'), ...source], /refused {4}latin-1\.md/, /^$/],
    [['import', 'no/such/folder'], /^$/, /there is no such file or folder/],
    [['import'], /^$/, /missing required argument 'path'/],
    [['import', '.', '--no-such-option'], /^$/, /unknown option/],
    [['publish'], /^$/, /name the posts by slug, or give --all/],
    [['publish', 'a', '--all'], /^$/, /name the posts by slug, or give --all/],
    [['publish', 'no-such-post'], /0 published/, /no post has the slug no-such-post/],
  ];

  it.each(fewOf(mistakes, ([args]) => args.includes('no/such/folder')))(
    'answers with 2 when nothing could be done: posts %j',
    async (args, stdout, stderr) => {
      const run = await cli('posts', ...args);
      expect(run.code).toBe(2);
      expect(run.stdout).toMatch(stdout);
      expect(run.stderr).toMatch(stderr);
    },
  );

  itSlow('lists drafts and published posts', async () => {
    const run = await cli('posts', 'list');
    expect(run.stdout).toMatch(/^draft {6}\w{3} \d+, \d{4} +\S+ +\S/m);
    expect(run.stdout).toMatch(/^published {2}Jan 2, 2016 +second-post +Second$/m);
    const json = JSON.parse((await cli('posts', 'list', '--json')).stdout) as unknown[];
    expect(json).toContainEqual({
      slug: 'second-post',
      title: 'Second',
      author: 'Your IT Team',
      category: null,
      published_date: '2016-01-02T20:00:00.000Z',
      is_published: true,
      scheduled_at: null,
      dead_links: 0,
    });
  });

  itSlow('moves out, and in again somewhere else, without losing anything', async () => {
    const folders = [join(temporaryFolder(), 'out'), join(temporaryFolder(), 'out')] as const;
    const run = await cli('posts', 'export', folders[0]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(new RegExp(`^\\d exported, 0 incomplete, 0 skipped, \\d images: ${folders[0]}\n$`));
    const elsewhere = testEnvironment({ databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() }, {});
    expect(await runCli(['posts', 'import', folders[0]], elsewhere)).toMatchObject({ code: 0, stderr: '' });
    const again = await runCli(['posts', 'export', folders[1], '--json'], elsewhere);
    expect(JSON.parse(again.stdout)).toMatchObject({ format: 'markdown', counts: { incomplete: 0, skipped: 0 } });
    expect(spawnSync('diff', ['-r', ...folders])).toMatchObject({ status: 0 });
    const refused = await cli('posts', 'export', folders[0]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--force replaces it') });
  });

  itSlow('leaves no hidden copy of the posts behind when Ctrl+C ends an export', async () => {
    const folder = temporaryFolder();
    const owner = new pg.Client({ connectionString: environment.DATABASE_URL });
    await owner.connect();
    try {
      // Read after the export has begun to write.
      await owner.query('begin; lock table post_slugs in access exclusive mode');
      const exporting = startProcess(['dist/cli.js', 'posts', 'export', join(folder, 'out')], environment);
      await until(() => readdirSync(folder).length > 0);
      expect(await exporting.stop('SIGINT')).toMatchObject({ signal: 'SIGINT', stdout: '', stderr: '' });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      await owner.end();
    }
  });

  itSlow('publishes some, all, and says which it does not know', async () => {
    const some = await cli('posts', 'publish', 'fine', 'second-post', 'nothing');
    expect(some).toMatchObject({ code: 1, stderr: 'no post has the slug nothing\n' });
    expect(some.stdout).toBe('published  fine\npublished already  second-post\n1 published\n');
    const all = await cli('posts', 'publish', '--all', '--yes');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toContain('published  first-post\n');
  });

  itSlow('answers with 2 when the database cannot be reached', async () => {
    const databaseUrl = 'postgresql://nobody:nothing@127.0.0.1:1/none';
    const run = await runCli(['posts', 'list'], { ...environment, DATABASE_URL: databaseUrl });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toBe(
      'Error: The database at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n' +
        'Start PostgreSQL, or correct host and port in DATABASE_URL.\n',
    );
  });
});
