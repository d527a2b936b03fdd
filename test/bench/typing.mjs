// What a key costs in a post of 10,000 words with 50 pictures and 5 tables, beside a post of one paragraph: npm run bench:typing
import { randomUUID } from 'node:crypto';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { findChromium } from '../support/chromium.ts';
import { startDemo } from './demo.mjs';

const KEYS = 200;
const WORDS = 10_000;
const PICTURES = 50;
const TABLES = 5;

/* global requestAnimationFrame */

async function signIn(url, output) {
  const [, email, password] = /auth with (\S+) and (\S+)/.exec(output) ?? [];
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body });
  const { access_token: token } = await answer.json();
  return { email, password, token };
}

async function call(url, token, path, body) {
  const isForm = body instanceof FormData;
  const headers = { authorization: `Bearer ${token}`, ...(isForm ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

async function uploadPicture(url, token) {
  const png = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#2a6' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new Blob([png], { type: 'image/png' }), 'picture.png');
  return (await call(url, token, '/api/uploads', form)).url;
}

function longText(picture) {
  const words = 'a post about backups that somebody wants to read and nobody has tried so far '.trim().split(' ');
  const paragraph = Array.from({ length: 100 }, (_, at) => words[at % words.length]).join(' ');
  const row = `<tr>${'<td>cell</td>'.repeat(4)}</tr>`;
  return Array.from({ length: WORDS / 100 }, (_, at) => {
    const image =
      at % (WORDS / 100 / PICTURES) === 0 ? `<p><img src="${picture}" alt="x" width="800" height="500"></p>` : '';
    const table = at % (WORDS / 100 / TABLES) === 0 ? `<table><tbody>${row.repeat(8)}</tbody></table>` : '';
    return `<p>${paragraph}</p>${image}${table}`;
  }).join('');
}

/** Types in the middle of the text. @returns the milliseconds of processor time of each key, in order */
async function type(page, session, place) {
  await page.locator('.ql-editor').waitFor();
  await page.locator(place).first().click();
  await page.keyboard.press('End');
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const costs = [];
  for (let key = 0; key < KEYS; key += 1) {
    const before = await busy();
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    costs.push((await busy()) - before);
  }
  return costs.sort((a, b) => a - b);
}

const at = (costs, share) => costs[Math.min(costs.length - 1, Math.floor(costs.length * share))].toFixed(1);

const demo = await startDemo();
const { path, args, env } = await findChromium();
const browser = await chromium.launch({ executablePath: path, args: [...args], env: { ...process.env, ...env } });
try {
  const { url } = demo;
  const { email, password, token } = await signIn(url, demo.output);
  const picture = await uploadPicture(url, token);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/auth`);
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
  const form = page.locator('main form');
  await form.locator('input[type=email]').fill(email);
  await form.locator('input[type=password]').fill(password);
  await form.locator('input[type=password]').press('Enter');
  await page.waitForURL((address) => !address.pathname.startsWith('/auth'));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const measured = [];
  for (const [name, content, place] of [
    ['one paragraph', '<p>One paragraph.</p>', '.ql-editor p'],
    ['10,000 words', longText(picture), '.ql-editor p:nth-of-type(60)'],
    ['10,000 words, in a table', longText(picture), '.ql-editor td, .ql-editor [data-cell]'],
  ]) {
    const slug = randomUUID();
    const post = await call(url, token, '/api/admin/posts', { title: slug, slug, content, author: 'A' });
    await page.goto(`${url}/admin/blogs/edit/${post.id}`);
    const costs = await type(page, session, place);
    measured.push(costs);
    console.log(`${name.padEnd(26)} median ${at(costs, 0.5)} ms, p95 ${at(costs, 0.95)} ms`);
  }
  console.log(`10,000 words cost ${(at(measured[1], 0.5) / at(measured[0], 0.5)).toFixed(1)} times one paragraph`);
} finally {
  await browser.close();
  await demo.stop();
}
