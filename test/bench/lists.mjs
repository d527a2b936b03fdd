// Lists of 10, 100, 1,000 and 10,000 posts in Chromium, as a desk and as a phone with a quarter of the processor's speed:
// node test/bench/lists.mjs [sizes], after a build. Milliseconds; medians of three visits (VISITS=1 for one).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { findChromium } from '../support/chromium.ts';
import {
  cells,
  createPosts,
  environmentOf,
  median,
  printHead,
  residentMegabytesOf,
  SERVER_ARGUMENTS,
  start,
  whole,
} from './pages-support.mjs';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 1000, 10_000];
const VISITS = Number(process.env.VISITS ?? 3);
const DEVICES = {
  desk: { slower: 1, context: { viewport: { width: 1440, height: 900 } } },
  phone: { slower: 4, context: { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true } },
};

/* global window, document, requestAnimationFrame, scrollBy, scrollTo */

/** Runs in the page before anything else. */
function observe() {
  window.seen = { tasks: [] };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.seen.tasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
}

/** Runs in the page: how long frames take while it is scrolled for two seconds, and a jump to its end. */
async function scroll() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const frames = [];
  let last = await frame();
  for (const end = last + 2000; last < end;) {
    scrollBy({ top: 300, behavior: 'instant' });
    const now = await frame();
    frames.push(now - last);
    last = now;
  }
  frames.sort((one, other) => one - other);
  const begun = performance.now();
  scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
  await frame();
  await frame();
  return { frame: frames[Math.floor(frames.length * 0.95)], jump: performance.now() - begun };
}

/** Resident memory of the process that shows the page, in megabytes. */
async function memoryOf(browser) {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send('SystemInfo.getProcessInfo');
  await tools.detach();
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMegabytesOf(id)));
}

async function visit(browser, url, { slower, context: options }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(observe);
  await page.goto(`${url}/blogs`, { timeout: 120_000 });
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0, undefined, {
    timeout: 120_000,
  });
  const times = await page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0].startTime;
    const painted = at('first-contentful-paint');
    const tasks = window.seen.tasks.map(({ duration }) => duration);
    const after = window.seen.tasks.filter(({ startTime }) => startTime > painted).map(({ duration }) => duration);
    return { painted, hydrated: at('hydrated'), longest: Math.max(0, ...tasks), longestAfter: Math.max(0, ...after) };
  });
  const scrolled = await page.evaluate(scroll);
  const memory = await memoryOf(browser);
  // From another page: the list comes as data then.
  await page.goto(`${url}/about`);
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
  const shown = await page.evaluate(async () => {
    const begun = performance.now();
    document.querySelector('.site-footer a[href="/blogs"]').click();
    while (!document.querySelector('.post-card')) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - begun;
  });
  await context.close();
  return [
    times.painted,
    times.hydrated,
    times.longest,
    times.longestAfter,
    scrolled.frame,
    scrolled.jump,
    shown,
    memory,
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'bench-lists-'));
const environment = environmentOf(folder);
const database = await openDatabase(loadConfig(environment));
const { path, args, env } = await findChromium();
const browser = await chromium.launch({ executablePath: path, args: [...args], env: { ...process.env, ...env } });
try {
  printHead([
    ...['posts', 'device', 'KB', 'gzip KB', 'first paint', 'hydrated', 'longest task', 'longest after paint'],
    ...['frame p95', 'jump to end', 'from another page', 'memory MB'],
  ]);
  let there = 0;
  for (const size of sizes) {
    await createPosts(loadConfig(environment), there, size);
    there = size;
    const site = await start('site', SERVER_ARGUMENTS, environment);
    try {
      const list = Buffer.from(await (await fetch(`${site.url}/blogs`)).arrayBuffer());
      for (const [name, device] of Object.entries(DEVICES)) {
        const visits = [];
        for (let turn = 0; turn < VISITS; turn += 1) visits.push(await visit(browser, site.url, device));
        const medians = visits[0].map((_, index) => median(visits.map((values) => values[index])));
        console.log(cells([size, name, ...[list.length / 1024, gzipSync(list).length / 1024, ...medians].map(whole)]));
      }
    } finally {
      await site.stop();
    }
  }
} finally {
  await browser.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}
