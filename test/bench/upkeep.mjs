// What is derived from posts, made anew over 10,000 of them as after an upgrade: documents of the search with terms, related
// posts, and links: node test/bench/upkeep.mjs, with another number of posts after it, after a build. Each is made by one process, by two
// at once, and by one after another was killed in the middle; meanwhile a writer changes posts, and its longest wait is told.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EntityManager } from '@mikro-orm/postgresql';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { LinksService } from '../../dist/src/links/links.service.js';
import { refreshDerivedRows } from '../../dist/src/posts/derived-rows.js';
import { relatePosts } from '../../dist/src/posts/related/related-posts.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { cells, environmentOf, printHead } from './pages-support.mjs';

const POSTS = Number(process.env.POSTS ?? process.argv[2] ?? 10_000);
/** 20,000 words, most of them in few posts; every post links to three others, one of these links names no heading. */
const FILL = `
  insert into blog_posts (id, title, slug, excerpt, content, author, category, tags, is_published, published_date)
  select gen_random_uuid(), words.title, 'post-' || n, words.excerpt,
    '<h2>Costs</h2>' || words.text || '<h2>Terms</h2><p><a href="/blogs/post-' || (n * 7) % ? || '#costs">a</a> <a href="#terms">b</a> <a href="/blogs/post-'
      || (n * 3) % ? || '#gone">c</a></p>',
    'Author ' || n % 20, 'Category ' || n % 30, array['tag-' || n % 50, 'word-' || n % 997], true, timestamptz '2015-01-01' + n * interval '1 hour'
  from generate_series(0, ? - 1) n, lateral (
    select string_agg(word, ' ') filter (where i <= 7) as title, string_agg(word, ' ') filter (where i <= 20) as excerpt,
      '<p>' || string_agg(word, ' ') || '</p>' as text
    from generate_series(1, 600) i, lateral (select 'word' || (20000 * power(random(), 3))::int || left('', n) as word) w) words`;

const STEPS = {
  'search and terms': {
    work: async (em) => await refreshDerivedRows(em, async () => {}),
    forget: 'delete from search_documents; delete from post_terms; delete from related_posts',
    done: 'select count(*)::int as done from search_documents',
  },
  'related posts': {
    work: async (em) => await relatePosts(em),
    forget: 'delete from related_posts',
    done: 'select count(*)::int as done from related_posts where post_id = other_id',
  },
  links: {
    work: async (_em, app) => {
      await app.get(LinksService, { strict: false }).readAllChanged();
      return false;
    },
    forget: 'delete from post_links',
    done: 'select count(*)::int as done from post_links',
  },
  'links again': {
    work: async (_em, app, since) => await app.get(LinksService, { strict: false }).followAgain(since),
    forget: `update post_links set checked_at = '2000-01-01'`,
    done: `select count(*)::int as done from post_links where checked_at > '2000-01-02'`,
  },
};

/** Runs in a process of its own. */
async function workUntilDone(name) {
  const { app, close } = await createAppContext(loadConfig(process.env));
  const em = app.get(EntityManager, { strict: false });
  console.log('ready');
  await once(process.stdin, 'data');
  const since = new Date();
  const used = process.cpuUsage();
  let longest = 0;
  for (let hasMore = true; hasMore;) {
    const begun = performance.now();
    hasMore = await STEPS[name].work(em, app, since);
    longest = Math.max(longest, performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ longest, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }));
  await close();
  process.exit();
}

async function startWorker(name, environment) {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...process.env, ...environment, UPKEEP_WORK: name },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    child,
    begin: () => child.stdin.write('\n'),
    result: async () => JSON.parse((await lines.next()).value ?? 'null'),
  };
}

/** Changes posts one after the other until it is told to stop. @returns its longest wait in milliseconds */
async function write(em, signal) {
  let longest = 0;
  for (let n = 0; !signal.aborted; n += 1) {
    const begun = performance.now();
    await em.fork().execute('update blog_posts set author = author where slug = ?', [`post-${(n * 37) % POSTS}`]);
    longest = Math.max(longest, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return longest;
}

async function measure(em, name, how, environment) {
  const { forget, done } = STEPS[name];
  for (const statement of forget.split('; ')) await em.fork().execute(statement);
  const count = async () => (await em.fork().execute(done))[0].done;
  const workers = await Promise.all(
    Array.from({ length: how === 'two at once' ? 2 : 1 }, () => startWorker(name, environment)),
  );
  const writing = new AbortController();
  const waits = write(em, writing.signal);
  let begun = performance.now();
  for (const worker of workers) worker.begin();
  if (how === 'after a kill') {
    while ((await count()) < POSTS / 3);
    workers[0].child.kill('SIGKILL');
    await once(workers[0].child, 'exit');
    workers[0] = await startWorker(name, environment);
    begun = performance.now();
    workers[0].begin();
  }
  const results = await Promise.all(workers.map((worker) => worker.result()));
  const seconds = (performance.now() - begun) / 1000;
  writing.abort();
  const longest = name === 'links' ? '' : Math.max(...results.map((result) => result.longest)).toFixed(0);
  const row = [name, how, seconds.toFixed(1), results.map(({ cpu }) => cpu.toFixed(1)).join(' + '), longest];
  console.log(
    cells([
      ...row,
      (await waits).toFixed(0),
      Math.max(...results.map(({ memory }) => memory)).toFixed(0),
      `${await count()}`,
    ]),
  );
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-upkeep-'));
  const environment = environmentOf(folder);
  const database = await openDatabase(loadConfig(environment));
  const { app, close } = await createAppContext(loadConfig(environment));
  try {
    const em = app.get(EntityManager, { strict: false });
    await em.fork().execute(FILL, [POSTS, POSTS, POSTS]);
    await em.fork().execute('analyze');
    printHead([
      'what',
      'how',
      'seconds',
      'processor s',
      'longest step ms',
      'longest wait of a writer ms',
      'MB',
      'posts',
    ]);
    for (const name of Object.keys(STEPS)) {
      for (const how of ['one process', 'two at once', 'after a kill']) await measure(em, name, how, environment);
    }
  } finally {
    await close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.env.UPKEEP_WORK) await workUntilDone(process.env.UPKEEP_WORK);
else await main();
