// Lighthouse's mobile test over the demo, in a data folder of its own: npm run lighthouse, or with the paths of some
// pages: npm run lighthouse -- /contact
// Prints one line per page and ends with 1 when a page is below what the project promises.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { paths } from '../../../dist/src/shared/paths.js';
import { findChromium } from '../../support/chromium.ts';
import { startDemo } from '../demo.mjs';
import { cells, median, printHead, whole } from '../pages-support.mjs';

const WANTED = { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 };
/** The largest paint by that of the same page without JavaScript. */
const MAX_PAINT_RATIO = 1.2;
const TURNS = 3;

const CONDITIONS = { output: 'json', logLevel: 'error' };

/** Visits a page with scripts once and returns its scores and times. */
async function visit(url, port) {
  const { lhr } = await lighthouse(url, { ...CONDITIONS, port, onlyCategories: Object.keys(WANTED) });
  const scores = Object.fromEntries(
    Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
  );
  const failed = Object.values(lhr.audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
    .map(({ id }) => id);
  if (lhr.runtimeError) failed.push(lhr.runtimeError.code);
  const figure = (name) => lhr.audits[name]?.numericValue ?? 0;
  return {
    scores,
    failed,
    shift: figure('cumulative-layout-shift'),
    blocked: figure('total-blocking-time'),
    paint: figure('largest-contentful-paint'),
  };
}

/** The largest paint of the same page without JavaScript. */
async function paintWithoutScripts(url, port) {
  const { lhr } = await lighthouse(url, {
    ...CONDITIONS,
    port,
    onlyCategories: ['performance'],
    blockedUrlPatterns: ['*.js'],
  });
  return lhr.audits['largest-contentful-paint']?.numericValue ?? 0;
}

/** Other work on the machine makes single visits slow: of times and the score that is made of them, the median counts. */
async function measure(url, port) {
  const [visits, plain] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    visits.push(await visit(url, port));
    plain.push(await paintWithoutScripts(url, port));
  }
  const middle = (pick) => median(visits.map(pick));
  return {
    scores: Object.fromEntries(
      Object.keys(WANTED).map((name) => [
        name,
        name === 'performance'
          ? middle(({ scores }) => scores[name])
          : Math.min(...visits.map(({ scores }) => scores[name])),
      ]),
    ),
    shift: Math.max(...visits.map(({ shift }) => shift)),
    blocked: middle(({ blocked }) => blocked),
    paint: middle(({ paint }) => paint),
    plainPaint: median(plain),
    failed: [...new Set(visits.flatMap(({ failed }) => failed))],
  };
}

/** Every public page that search engines may show, a post with an image and one without. */
async function publicPages(url) {
  const posts = await (await fetch(url + paths.api.posts)).json();
  const both = [posts.find(({ picture }) => picture), posts.find(({ picture }) => !picture)];
  const sitemap = await (await fetch(url + paths.sitemap)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  return [
    ...listed.filter((path) => !path.startsWith(paths.blog(''))),
    ...both.flatMap((post) => (post ? [paths.blog(post.slug)] : [])),
  ];
}

const asked = process.argv.slice(2);
const { path, args, env } = await findChromium();
const demo = await startDemo();
const chrome = await launch({ chromePath: path, chromeFlags: args, envVars: { ...process.env, ...env } });
let isGood = true;
try {
  printHead(['page', ...Object.keys(WANTED), 'shift', 'blocked ms', 'largest paint ms', 'without scripts', 'ratio']);
  for (const page of asked.length > 0 ? asked : await publicPages(demo.url)) {
    const { scores, shift, blocked, paint, plainPaint, failed } = await measure(demo.url + page, chrome.port);
    const ratio = paint / plainPaint;
    const hasScores = Object.entries(WANTED).every(([name, least]) => scores[name] >= least);
    const isPageGood = hasScores && shift === 0 && ratio <= MAX_PAINT_RATIO;
    isGood &&= isPageGood;
    const times = [blocked, paint, plainPaint].map(whole);
    console.log(cells([page, ...Object.values(scores), shift, ...times, ratio.toFixed(2)]));
    if (!isPageGood) console.log(`^ not what is promised; below 90: ${failed.join(', ') || 'nothing'}`);
  }
} finally {
  chrome.kill();
  await demo.stop();
}
process.exitCode = isGood ? 0 : 1;
