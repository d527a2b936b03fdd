import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { scaled } from '../support/fault-scale.js';
import { startProcess } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const image = fileURLToPath(new URL('../fixtures/markdown/assets/blog/red.png', import.meta.url));
/** Several times what is read, decided and written together. */
const POSTS = 170;
/** Each costs a process. Half of them are killed while the first posts are on their way, half at any later moment. */
const KILLS = scaled(3, 50);

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
