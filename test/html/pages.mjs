// The Nu Html Checker over every public page of the demo, in a data folder of its own: npm run test:html
// Prints what it finds by page and ends with 1 when that is anything.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '../../dist/src/shared/paths.js';
import { startDemo } from '../bench/demo.mjs';
import { needProgram } from '../support/system-program.ts';

/** Public pages that are in no sitemap. */
const UNLISTED = [paths.auth, paths.search(), paths.search('backup'), paths.contactSent, '/nothing-here'];

/** Findings about what is done on purpose. */
const TAKEN = [
  // React writes documents that XML parsers read, too.
  /^Trailing slash on void elements/,
  // Some screen readers take a list without signs for no list.
  /^The “list” role is unnecessary for element “[ou]l”/,
  // Style sheets are newer than what it knows of them; the build parses them.
  /^CSS: (?:Unrecognized at-rule|“[-\w]+”: (?:Property “[-\w]+” doesn't exist|“[^”]+” is not a “[-\w]+” value))/,
];
const isTaken = (message) => TAKEN.some((pattern) => pattern.test(message));

/** Every public page, posts included. */
async function publicPages(url) {
  const sitemap = await (await fetch(url + paths.sitemap)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  return [...new Set([...listed, ...UNLISTED])];
}

needProgram('java', 'default-jre-headless');
const jar = join(createRequire(import.meta.url).resolve('vnu-jar/package.json'), '../build/dist/vnu.jar');
const demo = await startDemo();
const folder = await mkdtemp(join(tmpdir(), 'html-'));
try {
  const pages = await publicPages(demo.url);
  const files = new Map();
  for (const [index, page] of pages.entries()) {
    const file = join(folder, `${index}.html`);
    await writeFile(file, await (await fetch(demo.url + page)).text());
    files.set(file, page);
  }
  const args = ['-Xss8m', '-jar', jar, '--format', 'json', '--stdout', '--exit-zero-always', ...files.keys()];
  const { stdout, stderr, status } = spawnSync('java', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`The checker failed: ${stderr}`);
  const messages = JSON.parse(stdout).messages.filter(({ message }) => !isTaken(message));
  for (const { url, type, subType, message, extract, lastLine } of messages) {
    const page = files.get(new URL(url).pathname) ?? url;
    console.log(`${page}:${lastLine}: ${subType ?? type}: ${message}\n    ${extract?.replaceAll(/\s+/g, ' ') ?? ''}`);
  }
  console.log(`${messages.length} findings on ${pages.length} pages.`);
  process.exitCode = messages.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
  await demo.stop();
}
