import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { onCleanup } from '../support/cleanup.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { scaled } from '../support/fault-scale.js';
import { startProcess } from '../support/process.js';
import { readTree } from '../support/read-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { writeWordPressBlog, type WordPressBlog } from '../support/wordpress-blog.js';

const image = fileURLToPath(new URL('../fixtures/markdown/assets/blog/red.png', import.meta.url));
/** Several times what is read, decided and written together. */
const POSTS = 170;
/** Each costs a process. Half of them are killed while the first posts are on their way, half at any later moment. */
const KILLS = scaled(3, 50);
const WORDPRESS_KILLS = scaled(2, 20);
const UNDO_KILLS = scaled(2, 20);
/** Those of which half are undone, in groups of 50. */
const UNDO_POSTS = scaled(160, 2000);
const TIMES = /<(?:wp:post_date(?:_gmt)?|pubDate)>[^<]*|^created: .*/gm;
/** The lock of an undoing at work. */
const LOCK_OF_UNDOING = `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
  and objid = ${ADVISORY_LOCKS.imports} and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())`;

/** Posts of which some show a picture, some were at other addresses, and some share one. */
function writePosts(): string {
  const folder = join(temporaryFolder(), 'posts');
  mkdirSync(folder);
  copyFileSync(image, join(folder, 'red.png'));
  for (let index = 0; index < POSTS; index += 1) {
    const name = `post-${String(index).padStart(3, '0')}`;
    const more = [
      ...(index % 2 === 0 ? [`aliases: [/old/${name}/]`] : []),
      ...(index % 50 === 7 ? ['slug: post-000'] : []),
      ...(index % 40 === 3 ? ['permalink: /old/post-002/'] : []),
    ];
    const text = `${index % 10 === 0 ? '![Red](red.png)' : ''} Text ${index}.`;
    const lines = ['---', `title: Post ${index}`, 'date: 2024-01-05', 'draft: false', ...more, '---', text];
    writeFileSync(join(folder, `${name}.md`), lines.join('\n'));
  }
  return folder;
}

async function createSite(): Promise<Variables> {
  return testEnvironment({ databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() }, {});
}

interface Site {
  readonly environment: Variables;
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>;
}

const run = (environment: Variables, ...args: readonly string[]) =>
  startProcess(['dist/cli.js', 'posts', ...args], environment);
const withAll = ({ file, uploads }: WordPressBlog) => [
  file,
  '--assets',
  uploads,
  '--comments',
  '--publish',
  '--no-fetch',
];

async function openSite(): Promise<Site> {
  const environment = await createSite();
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  onCleanup(() => client.end());
  return { environment, query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows };
}

/** The export in two formats, byte for byte: one holds all of a post, the other its comments. */
async function exportAll(environment: Variables): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  for (const format of ['markdown', 'wxr']) {
    const { code, stdout, stderr } = await run(environment, 'export', join(folder, format), '--format', format).ended;
    expect({ format, code, stderr }).toEqual({ format, code: expect.any(Number), stderr });
    expect(stdout).toMatch(/exported/);
  }
  return readTree(folder);
}

/** The same without what is made up anew for each site: ids, names of pictures, times of the import, and the order by these. */
async function withoutChance({ environment, query }: Site): Promise<Record<string, string>> {
  const names = await query(
    'select id::text, slug as name from blog_posts union all select id, source_hash from images order by name',
  );
  const clean = (text: string) =>
    names
      .reduce<string>((known, { id, name }) => known.replaceAll(String(id), String(name)), text)
      .replaceAll(/^(?:created|updated): .*|<wp:post_modified.*/gm, '')
      .replaceAll(/\b\d{8,}\b/g, 'number')
      .split(/(?=<item>)|(?<=<\/item>)/)
      .map((part) => (part.includes('[inherit]') || !part.startsWith('<item>') ? part.replaceAll(TIMES, '') : part))
      .sort()
      .join('');
  // The list of its files is in the order of ids.
  const files = Object.entries(await exportAll(environment)).filter(([path]) => !path.endsWith('.posts-export.json'));
  const all = files.map(([path, bytes]): [string, string] => [
    clean(path),
    /\.(?:md|xml)$/.test(path) ? clean(Buffer.from(bytes, 'base64').toString()) : bytes,
  ]);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const startImport = (environment: Variables, folder: string) =>
  startProcess(['dist/cli.js', 'posts', 'import', folder, '--source', 'faults'], environment);

/** Everything that an import leaves behind, but for what is made up anew each time. */
async function readState(environment: Variables): Promise<object> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  const list = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  try {
    const images = await list('select id, source_hash from images order by 2');
    const posts = await list(
      `select slug, title, content, image_url, tags, published_date, is_published, source_key,
         (select count(*) from post_revisions where post_id = p.id) as revisions,
         (select count(*) from image_uses where post_id = p.id) as uses,
         (select count(*) from audit_log where subject_id = p.id::text) as entries
       from blog_posts p order by slug`,
    );
    const text = images.reduce<string>(
      (json, { id, source_hash }) => json.replaceAll(String(id), String(source_hash)),
      JSON.stringify(posts),
    );
    return {
      posts: JSON.parse(text) as object,
      images: images.map(({ source_hash }) => source_hash),
      redirects: await list('select path, target, origin from redirects order by path'),
      addresses: await list('select slug from post_slugs order by slug'),
    };
  } finally {
    await client.end();
  }
}

/** Reasons and notes: what the report says whether the posts were written by this run or by one before it. */
const notesOf = (report: string) => report.split('\n').filter((line) => /^ +(?:reason|note):/.test(line));

describe('an import that is killed', () => {
  it('goes on where it was, and comes to what it comes to undisturbed', async () => {
    const folder = writePosts();
    const [calm, disturbed] = [await createSite(), await createSite()];
    const expected = await startImport(calm, folder).ended;
    expect(expected.code).toBe(1);

    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = startImport(disturbed, folder);
      if (kill % 2 === 0) await Promise.race([running.waitForOutput(/-> post-/), running.ended]);
      await delay(kill % 2 === 0 ? (kill * 37) % 200 : 500 + ((kill * 67) % 500));
      await running.stop('SIGKILL');
    }
    const last = await startImport(disturbed, folder).ended;
    expect(notesOf(last.stdout)).toEqual(notesOf(expected.stdout));
    expect(await readState(disturbed)).toEqual(await readState(calm));
    const again = await startImport(disturbed, folder).ended;
    expect(again.stdout.split('\n').at(-2)).toBe(`0 created, 0 updated, ${POSTS - 4} unchanged, 4 refused`);
  });
});

describe('an import of WordPress that is killed', () => {
  it('comes to the export of one that was not, with its pictures and comments', async () => {
    const blog = await writeWordPressBlog(POSTS);
    const [calm, disturbed] = [await openSite(), await openSite()];
    expect((await run(calm.environment, 'import', ...withAll(blog)).ended).code).toBe(0);
    const expected = await withoutChance(calm);

    for (let kill = 0; kill < WORDPRESS_KILLS; kill += 1) {
      const running = run(disturbed.environment, 'import', ...withAll(blog));
      if (kill % 2 === 0) await Promise.race([running.waitForOutput(/-> post-/), running.ended]);
      await delay(kill % 2 === 0 ? (kill * 37) % 200 : 500 + ((kill * 67) % 500));
      await running.stop('SIGKILL');
    }
    expect((await run(disturbed.environment, 'import', ...withAll(blog)).ended).code).toBe(0);
    expect(await withoutChance(disturbed)).toEqual(expected);
  });
});

describe('an undoing', () => {
  it('that is killed, or done twice at once, comes to what there was before the import', async () => {
    const [first, second] = [await writeWordPressBlog(UNDO_POSTS), await writeWordPressBlog(UNDO_POSTS, 2)];
    const { environment, query } = await openSite();
    expect((await run(environment, 'import', ...withAll(first)).ended).code).toBe(0);
    const before = await exportAll(environment);
    const undo = () => run(environment, 'import', 'undo', '2', '--yes', '--json');
    const countUndone = async () => {
      const rows = await query('select count(undone_version)::int as count from import_run_posts where run_id = 2');
      return Number(rows[0]?.['count']);
    };
    const expectDone = async () => {
      expect(await exportAll(environment)).toEqual(before);
      expect(await query('select from comment_changes where run_id = 2')).toEqual([]);
      expect(await query('select from import_run_posts where run_id = 2 and undone_version is null')).toEqual([]);
    };

    expect((await run(environment, 'import', ...withAll(second)).ended).code).toBe(0);
    expect(await exportAll(environment)).not.toEqual(before);
    for (let kill = 0; kill < UNDO_KILLS; kill += 1) {
      const running = undo();
      const from = await countUndone();
      let hasEnded = false;
      void running.ended.then(() => (hasEnded = true));
      // Within a group at the first, between groups and before the comments at the others.
      if (kill > 0) await until(async () => hasEnded || (await countUndone()) > from);
      else await until(async () => hasEnded || (await query(LOCK_OF_UNDOING)).length > 0);
      await running.stop('SIGKILL');
    }
    expect(await undo().ended).toMatchObject({ code: 0, stderr: '' });
    await expectDone();

    const again = await run(environment, 'import', ...withAll(second), '--json').ended;
    expect(JSON.parse(again.stdout)).toMatchObject({ counts: { created: 20 } });
    const undoLatest = () => run(environment, 'import', 'undo', '3', '--yes').ended;
    const both = await Promise.all([undoLatest(), undoLatest()]);
    // Who comes second finds the other at work, or nothing left to do.
    const answers = both.map(({ code, stdout, stderr }) => `${code} ${stdout}${stderr}`);
    expect(answers.filter((answer) => /^0 [^]*20 to the trash/.test(answer)).length).toBeGreaterThan(0);
    for (const answer of answers) {
      expect(answer).toMatch(/20 to the trash|an import is running, or being undone|Nothing is left of import 3/);
    }
    expect(await exportAll(environment)).toEqual(before);
  });
});
