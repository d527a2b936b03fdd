// What changes cost, how soon they are seen, and what a process takes: npm run bench -- --changes
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { preparePost } from '../../dist/src/posts/post-preparation.js';
import { ImportedPostsService } from '../../dist/src/import/imported-posts.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';
import {
  BROWSER,
  cells,
  cpuSecondsOf,
  createPosts,
  environmentOf,
  load,
  median,
  percentile,
  postOf,
  printHead,
  residentMegabytesOf,
  SERVER_ARGUMENTS,
  start,
  UNCACHED,
  whole,
} from './pages-support.mjs';

const POSTS = 100;
const CHANGES = 200;
const SAVES_PER_SECOND = 20;
const TURNS = 3;
const SECONDS = 5;
const PAGES = { home: '/', list: '/blogs', post: '/blogs/post-7' };

/** Each edition has another title, so that every list that shows the post is another one. */
async function write(posts, index, isPublished, edition = 0) {
  const [target] = await posts.findForImportIncludingDrafts(OPERATOR, { sourceKeys: [], slugs: [`post-${index}`] });
  const post = postOf(index);
  const fields = preparePost({ ...post, title: `${post.title}, edition ${edition}` });
  await posts.savePosts(OPERATOR, [{ target, fields, isPublished }]);
}

/** Milliseconds from the commit to the moment in which a process shows the post, or no longer does. */
async function timesUntilSeen(posts, sites) {
  const times = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const isPublished = change % 2 === 1;
    await write(posts, 1, isPublished);
    const committedAt = performance.now();
    const waits = sites.map(async ({ url }) => {
      let isSeen = false;
      while (!isSeen) {
        const answer = await fetch(`${url}/blogs/post-1`, { redirect: 'manual' });
        await answer.arrayBuffer();
        isSeen = answer.ok === isPublished;
      }
      return performance.now() - committedAt;
    });
    times.push(...(await Promise.all(waits)));
  }
  return times;
}

/** The slowest hundredth of cached pages, quiet and while posts are saved; they take turns. */
async function slowest(posts, site, path) {
  const [quiet, busy] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    quiet.push((await load(site, path, BROWSER, 32, SECONDS)).p99);
    let [isOver, saves, last] = [false, 0, Promise.resolve()];
    const timer = setInterval(() => {
      last = last.then(() => (isOver ? undefined : write(posts, 2 + (saves % 50), true, (saves += 1))));
    }, 1000 / SAVES_PER_SECOND);
    busy.push((await load(site, path, BROWSER, 32, SECONDS)).p99);
    isOver = true;
    clearInterval(timer);
    await last;
  }
  return [median(quiet), median(busy)];
}

async function startOnce(environment) {
  const site = await start('site', SERVER_ARGUMENTS, environment);
  await (await fetch(site.url)).arrayBuffer();
  return { site, cpu: cpuSecondsOf(site.pid) * 1000, memory: residentMegabytesOf(site.pid) };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-changes-'));
const environment = environmentOf(folder);
const database = await openDatabase(loadConfig(environment));
const sites = [];
const context = await createAppContext(loadConfig(environment));
try {
  await createPosts(loadConfig(environment), 0, POSTS);
  const starts = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const { site, cpu, memory } = await startOnce(environment);
    starts.push({ cpu, memory });
    await site.stop();
  }
  for (let count = 0; count < 2; count += 1) sites.push((await startOnce(environment)).site);
  const posts = context.app.get(ImportedPostsService, { strict: false });
  const seen = await timesUntilSeen(posts, sites);
  console.log(
    `A change is seen in two processes after ${percentile(seen, 0.5)} ms (p50), ${percentile(seen, 0.99)} ms`,
  );
  console.log(`(p99) and ${percentile(seen, 1)} ms (slowest) of ${seen.length}.\n`);
  printHead(['cached page, 32 connections', 'p99 ms', `p99 ms with ${SAVES_PER_SECOND} saves/s`, 'ratio']);
  for (const [name, path] of Object.entries(PAGES)) {
    const [quiet, busy] = await slowest(posts, sites[0], path);
    console.log(cells([name, quiet, busy, (busy / quiet).toFixed(2)]));
  }
  for (const path of Object.values(PAGES)) await load(sites[0], path, UNCACHED, 32, SECONDS);
  console.log(`\nStart to first page: ${whole(median(starts.map(({ cpu }) => cpu)))} ms of CPU.`);
  console.log(`Memory: ${whole(median(starts.map(({ memory }) => memory)))} MB after the first page,`);
  console.log(`${whole(residentMegabytesOf(sites[0].pid))} MB after all of this and uncached pages.`);
} finally {
  for (const site of sites) await site.stop();
  await context.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}
