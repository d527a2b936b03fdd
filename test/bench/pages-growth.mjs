// What more posts cost: npm run bench -- --growth
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import {
  cells,
  cpuSecondsOf,
  createPosts,
  environmentOf,
  load,
  median,
  printHead,
  residentMegabytesOf,
  SERVER_ARGUMENTS,
  start,
  UNCACHED,
  whole,
} from './pages-support.mjs';

const SIZES = [10, 100, 1000, 10_000];
const TURNS = 3;
const SECONDS = 2;
const PAGES = { home: '/', list: '/blogs', post: '/blogs/post-7' };

/** Processor time of a rendering, the median of turns. */
async function renderingOf(site, path) {
  const turns = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push((await load(site, path, UNCACHED, 1, SECONDS)).cpu);
  return median(turns);
}

async function measure(environment) {
  const site = await start('site', SERVER_ARGUMENTS, environment);
  try {
    await (await fetch(site.url)).arrayBuffer();
    const startMs = cpuSecondsOf(site.pid) * 1000;
    const list = Buffer.from(await (await fetch(site.url + PAGES.list)).arrayBuffer());
    // Compiled by then: what is measured is not the first rendering.
    for (const path of Object.values(PAGES)) await load(site, path, UNCACHED, 1, 2);
    const costs = [];
    for (const path of Object.values(PAGES)) costs.push(await renderingOf(site, path));
    return [list.length / 1024, gzipSync(list).length / 1024, ...costs, residentMegabytesOf(site.pid), startMs];
  } finally {
    await site.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'));
const environment = environmentOf(folder);
const database = await openDatabase(loadConfig(environment));
try {
  printHead(['posts', 'list KB', 'gzip KB', 'home µs', 'list µs', 'post µs', 'memory MB', 'start CPU ms']);
  let there = 0;
  for (const size of SIZES) {
    await createPosts(loadConfig(environment), there, size);
    there = size;
    console.log(cells([size, ...(await measure(environment)).map(whole)]));
  }
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}
