// The pictures of the README, taken of the demo over its sample content: npm run screenshots
import { mkdir, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { findChromium } from '../support/chromium.ts';
import { startDemo } from './demo.mjs';

const FOLDER = 'docs/images';
const MAX_BYTES = 150_000;
const SIZE = { width: 1440, height: 900 };

/* global document, innerHeight */

/** Waits until nothing on the page is still to come: scripts, the font, and the images that are in sight. */
async function settle(page) {
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
}

async function save(page, name) {
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82, effort: 6 })
    .toBuffer();
  if (picture.length > MAX_BYTES) throw new Error(`${name} has ${picture.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(`${FOLDER}/${name}.webp`, picture);
  console.log(`${FOLDER}/${name}.webp: ${picture.length} bytes`);
}

async function signIn(page, url, output) {
  const [, email, password] = /auth with (\S+) and (\S+)/.exec(output) ?? [];
  if (!password) throw new Error(`The demo named no password:\n${output}`);
  await page.goto(`${url}/auth`);
  await settle(page);
  const form = page.locator('main form');
  await form.locator('input[type=email]').fill(email);
  await form.locator('input[type=password]').fill(password);
  await form.locator('input[type=password]').press('Enter');
  await page.waitForURL((address) => !address.pathname.startsWith('/auth'));
}

const { path, args, env } = await findChromium();
const demo = await startDemo();
const browser = await chromium.launch({ executablePath: path, args: [...args], env: { ...process.env, ...env } });
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  const posts = await (await fetch(`${demo.url}/api/posts`)).json();
  const post = posts.find(({ picture }) => picture) ?? posts[0];
  await mkdir(FOLDER, { recursive: true });
  for (const [name, address] of [
    ['home', '/'],
    ['list', '/blogs'],
    ['post', `/blogs/${post.slug}`],
  ]) {
    await page.goto(demo.url + address);
    await settle(page);
    await save(page, name);
  }
  await signIn(page, demo.url, demo.output);
  await page.goto(`${demo.url}/admin/blogs/edit/${post.id}`);
  await page.locator('.ql-editor').waitFor();
  await settle(page);
  await save(page, 'editor');
} finally {
  await browser.close();
  await demo.stop();
}
