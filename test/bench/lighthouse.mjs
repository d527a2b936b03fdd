// Lighthouse's mobile test over the demo, in a data folder of its own: npm run lighthouse
// Prints one line per page and ends with 1 when a page is below what the project promises.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../support/chromium.ts';

const WANTED = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function startDemo(dataDir) {
  const port = await findFreePort();
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['dist/cli.js', 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('Press Ctrl+C')) break;
  }
  return { child, url: `http://localhost:${port}` };
}

async function measure(url, port) {
  const { lhr } = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: Object.keys(WANTED),
  });
  const scores = Object.fromEntries(
    Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
  );
  const figure = (name) => lhr.audits[name]?.displayValue ?? '';
  const failed = Object.values(lhr.audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
    .map(({ id }) => id);
  return {
    scores,
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? 0,
    paint: figure('largest-contentful-paint'),
    failed,
  };
}

const dataDir = await mkdtemp(join(tmpdir(), 'lighthouse-'));
const { path, args } = await findChromium();
const demo = await startDemo(dataDir);
const chrome = await launch({ chromePath: path, chromeFlags: args, ignoreDefaultFlags: false });
let isGood = true;
try {
  const posts = await (await fetch(`${demo.url}/api/posts`)).json();
  for (const page of ['/', '/pricing', '/blogs', `/blogs/${posts[0].slug}`]) {
    const { scores, shift, paint, failed } = await measure(demo.url + page, chrome.port);
    const isPageGood = shift === 0 && Object.entries(WANTED).every(([name, least]) => scores[name] >= least);
    isGood &&= isPageGood;
    const list = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
    console.log(`${isPageGood ? 'ok  ' : 'BAD '} ${page}: ${list.join(', ')}, shift ${shift}, largest paint ${paint}`);
    if (failed.length > 0) console.log(`     below 90: ${failed.join(', ')}`);
  }
} finally {
  chrome.kill();
  demo.child.kill('SIGTERM');
  await once(demo.child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;
