// How long a large site takes to back up and to restore, and what kills leave of it: npm run bench:backup
// Ends with 1 if a restore takes above the promised 5 minutes, or one that was killed leaves neither the old state nor
// the new one. Numbers as arguments: posts (5,000), images (500), kills (20).
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { BackupService } from '../../dist/src/backup/backup.service.js';
import { loadConfig } from '../../dist/src/config/config.js';
import { migrate } from '../../dist/src/database/migrate.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { PROJECT_ROOT } from '../../dist/src/config/project-root.js';
import { renditionsOf } from '../../dist/src/shared/media.js';
import { createStorage } from '../../dist/src/uploads/uploads.module.js';

const LIMIT_SECONDS = 300;
const FILE_BYTES = 40_000;
const [posts = 5000, images = 500, kills = 20] = process.argv.slice(2).map(Number);

/** Posts of about 6 kB with four revisions each, written by one account. */
async function fill(client, storage, title) {
  await client.query('truncate blog_posts, images cascade');
  await client.query(
    `insert into blog_posts (slug, title, excerpt, content, author, tags, published_date, is_published)
     select 'post-' || n, $1 || ' ' || n, 'What it is about', (select string_agg('<p>' || md5(n || '-' || m) || '</p>', '')
       from generate_series(1, 150) m), 'Bench', array['one', 'two'], now(), true from generate_series(1, $2::int) n`,
    [title, posts],
  );
  await client.query(
    `insert into post_revisions (post_id, version, reason, title, fields, is_published, created_at)
     select id, n, 'save', title, jsonb_build_object('content', content), true, now()
     from blog_posts, generate_series(1, 4) n`,
  );
  for (let index = 0; index < images; index += 1) {
    const id = createHash('md5').update(`${title}${index}`).digest('hex');
    const name = `${id}-1200x800.jpg`;
    await client.query('insert into images (id, name, source_hash, byte_size) values ($1, $2, $3, 1)', [id, name, id]);
    const put = (file) => storage.put(file.name, randomBytes(FILE_BYTES), file.contentType);
    await Promise.all(renditionsOf(name).map(put));
  }
}

async function withClient(url, task) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

async function fingerprint(url) {
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select (select md5(string_agg(md5(p::text), '' order by id)) from blog_posts p) as posts,
         (select md5(string_agg(md5(r::text), '' order by id)) from post_revisions r) as revisions,
         (select count(*) from images)::int as images,
         (select count(*) from pg_stat_activity where application_name = 'restore')::int as sessions`,
    ),
  );
  const { sessions, ...state } = rows[0];
  return sessions === 0 ? JSON.stringify(state) : fingerprint(url);
}

async function measure(what, task) {
  const start = performance.now();
  const result = await task();
  const seconds = (performance.now() - start) / 1000;
  console.log(`${what.padEnd(34)} ${seconds.toFixed(2).padStart(7)} s`);
  return { seconds, result };
}

/** A real process, killed after so many seconds or not at all. */
async function restore(archive, environment, killAfter) {
  const args = ['dist/cli.js', 'backup', 'restore', archive, '--yes', '--no-safety-backup'];
  const child = spawn(process.execPath, args, { cwd: PROJECT_ROOT, env: { ...process.env, ...environment } });
  const end = once(child, 'exit');
  const timer = killAfter && delay(killAfter * 1000, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
  const [code, signal] = await end;
  if (!timer && code !== 0) throw new Error(`The restore ended with ${code}`);
  return signal;
}

async function bench(url, environment) {
  const config = loadConfig(environment);
  const storage = await createStorage(config.storage);
  const backups = new BackupService(config);
  const states = [];
  for (const title of ['Old', 'New']) {
    await withClient(url, (client) => fill(client, storage, title));
    const { result } = await measure(`backup create (${title})`, () =>
      backups.create(`${config.dataDir}/${title}.tar`),
    );
    console.log(`  ${posts} posts, ${result.manifest.media.length} files, ${Math.round(result.size / 1e6)} MB`);
    states.push({ archive: result.file, state: await fingerprint(url) });
  }
  await measure('backup verify', () => backups.verify(states[0].archive, false));
  const { seconds } = await measure('backup restore, in place', () => restore(states[0].archive, environment));
  await rm(config.storage.folder, { recursive: true });
  const whole = await measure('backup restore, all images lost', () => restore(states[1].archive, environment));
  if (Math.max(seconds, whole.seconds) > LIMIT_SECONDS) process.exitCode = 1;
  let current = 1;
  const outcomes = { old: 0, new: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    await restore(states[1 - current].archive, environment, Math.random() * seconds);
    const found = await fingerprint(url);
    const index = states.findIndex(({ state }) => state === found);
    if (index === -1) throw new Error('A killed restore left neither the old state nor the new one');
    outcomes[index === current ? 'old' : 'new'] += 1;
    current = index;
  }
  console.log(`${kills} restores killed: ${outcomes.old} left the old state, ${outcomes.new} the new one`);
  console.log(`at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory for create and verify`);
  await storage.close();
}

const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'));
try {
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data') };
  const database = await openDatabase(loadConfig(environment));
  try {
    await migrate(database.url);
    // By its address: whoever opens the embedded one closes it again, within one process also for the others.
    await bench(database.url, { ...environment, DATABASE_URL: database.url });
  } finally {
    await database.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
