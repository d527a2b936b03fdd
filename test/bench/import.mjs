// How fast posts come in, beside the plain INSERT rate of the same database, in one run: npm run bench:import
// Ends with 1 when 5,000 posts would take more than a minute. A number as argument imports so many posts instead.
// With --large it imports exports of 100 MB instead, from WordPress and as a table, through the command line, and ends
// with 1 if that takes more than 256 MiB of memory at any time. With --pictures it imports 300 posts with a photo each,
// which have a film of 200 MB between them, and with --undo it undoes an import that made 7,000 posts, and one that
// changed them; both through the command line. The former ends with 1 at more than 400 MiB.
import { spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import sharp from 'sharp';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { ImportService } from '../../dist/src/import/import.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

const LIMIT_SECONDS = 60;
const LIMIT_POSTS = 5000;
const LARGE_BYTES = 100 * 1024 * 1024;
const LIMIT_MIB = 256;
const LIMIT_WITH_PICTURES_MIB = 400;
/** In which Linux counts processor time. */
const TICKS_PER_SECOND = 100;
const FILM_BYTES = 200_000_000;
const [isLarge, hasPictures, isUndo] = ['--large', '--pictures', '--undo'].map((name) => process.argv.includes(name));
const usual = hasPictures ? 300 : isUndo ? 7000 : LIMIT_POSTS;
const count = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? usual);

const paragraph = (index, n) =>
  `Paragraph ${n} of post ${index} says **something** about [backups](https://example.com/${n}) and *passwords*, ` +
  'as posts of this kind do, at some length and with a few words more than would be needed. '.repeat(3);

/** About 600 words with what posts have: headings, links, lists, a table, code. */
function makePost(index) {
  const parts = Array.from(
    { length: 8 },
    (_, n) => `## Part ${n}\n\n${paragraph(index, n)}\n\n- one\n- two\n- three\n`,
  );
  return `---
title: "Post ${index} of the benchmark"
date: ${dateOf(index)}
author: Bench
tags: [one, two, three]
category: Bench
excerpt: What post ${index} is about.
published: true
---

${parts.join('\n')}
| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const index = ${index};
\`\`\`
`;
}

function dateOf(index) {
  return `2024-01-${String((index % 28) + 1).padStart(2, '0')}`;
}

/** About 20 kB: long posts make a large file of few. */
function makeHtml(index) {
  return Array.from({ length: 50 }, (_, n) => `<h2>Part ${n}</h2>\n<p>${paragraph(index, n)}</p>`).join('\n');
}

const wxrHead = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Bench</title><link>https://bench.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://bench.example</wp:base_site_url><wp:base_blog_url>https://bench.example</wp:base_blog_url>
`;
const makeItem = (index) => `<item><title>Large ${index}</title><link>https://bench.example/2024/large-${index}/</link>
<dc:creator><![CDATA[bench]]></dc:creator><content:encoded><![CDATA[${makeHtml(index)}]]></content:encoded>
<excerpt:encoded><![CDATA[]]></excerpt:encoded><wp:post_id>${index + 1}</wp:post_id>
<wp:post_date><![CDATA[${dateOf(index)} 10:00:00]]></wp:post_date>
<wp:post_date_gmt><![CDATA[${dateOf(index)} 10:00:00]]></wp:post_date_gmt>
<wp:post_name><![CDATA[large-${index}]]></wp:post_name><wp:status><![CDATA[publish]]></wp:status>
<wp:post_type><![CDATA[post]]></wp:post_type><category domain="category" nicename="a"><![CDATA[A]]></category></item>
`;
const makeRow = (index) =>
  `row-${index},Row ${index},"${makeHtml(index).replaceAll('"', '""')}",Bench,"{one,two}",${dateOf(index)},true\n`;

const largeFiles = [
  ['large.xml', wxrHead, makeItem, '</channel></rss>\n'],
  ['large.csv', 'slug,title,content,author,tags,published_date,is_published\n', makeRow, ''],
];

async function writeLarge(path, head, makePart, tail) {
  const file = createWriteStream(path);
  file.write(head);
  for (let index = 0; file.bytesWritten + file.writableLength < LARGE_BYTES; index += 1) {
    if (!file.write(makePart(index))) await new Promise((resolve) => file.once('drain', resolve));
  }
  await new Promise((resolve) => file.end(tail, resolve));
}

async function writePosts(folder) {
  await mkdir(folder);
  for (let index = 0; index < count; index += 1) await writeFile(join(folder, `post-${index}.md`), makePost(index));
}

/** The same rows again, one INSERT and one commit each: what the database alone is capable of. */
async function measurePlainInsert(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const columns = 'title, excerpt, content, category, tags, author, published_date, is_published';
  const { rows } = await client.query(`select ${columns} from blog_posts order by slug`);
  const start = performance.now();
  for (const [index, row] of rows.entries()) {
    const values = [`plain-${index}`, ...columns.split(', ').map((column) => row[column])];
    const places = values.map((_, at) => `$${at + 1}`).join(', ');
    await client.query(`insert into blog_posts (slug, ${columns}) values (${places})`, values);
  }
  const seconds = (performance.now() - start) / 1000;
  await client.end();
  return seconds;
}

async function measureImport(imports, folder) {
  const start = performance.now();
  let created = 0;
  for await (const { outcome } of imports.importPosts(OPERATOR, folder, { source: 'bench' }))
    if (outcome === 'created') created += 1;
  return { seconds: (performance.now() - start) / 1000, created };
}

function print(what, seconds) {
  const rate = String(Math.round(count / seconds)).padStart(6);
  console.log(`${what.padEnd(28)} ${seconds.toFixed(2).padStart(7)} s ${rate} a second`);
}

async function bench(config, folder) {
  const posts = join(folder, 'posts');
  await writePosts(posts);
  const { app, close } = await createAppContext(config);
  try {
    const imports = app.get(ImportService, { strict: false });
    const first = await measureImport(imports, posts);
    if (first.created !== count) throw new Error(`Only ${first.created} of ${count} posts were created`);
    const again = await measureImport(imports, posts);
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    const plain = await measurePlainInsert(config.database.url);
    console.log(`${count} posts without images, embedded PostgreSQL, at most ${memory} MiB of memory`);
    print('imported', first.seconds);
    print('imported again, unchanged', again.seconds);
    print('plain INSERT, one by one', plain);
    console.log(`an import takes ${(first.seconds / plain).toFixed(1)} times as long as plain INSERTs`);
    if ((first.seconds / count) * LIMIT_POSTS > LIMIT_SECONDS) process.exitCode = 1;
  } finally {
    await close();
  }
}

/** Imports through the command line, whose process says at its end how much memory it had at most. */
async function benchLarge(config, folder) {
  for (const [name, ...parts] of largeFiles) {
    const path = join(folder, name);
    await writeLarge(path, ...parts);
    const mebibytes = Math.round((await stat(path)).size / 1024 / 1024);
    const start = performance.now();
    const { counts, peak } = await runImport(config, path);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}, ${mebibytes} MiB: ${JSON.stringify(counts)} in ${seconds} s, at most ${peak} MiB of memory`);
    if (peak > LIMIT_MIB || counts.refused > 0 || counts.created === 0) process.exitCode = 1;
  }
}

async function runImport(config, path) {
  const { json, peak } = await runCommand(config, ['import', path, '--source', 'bench', '--no-fetch', '--json']);
  return { counts: json.counts, peak };
}

/** Runs `posts`, and tells how much memory and processor time it took, with all processes that it started. */
async function runCommand(config, args) {
  const start = performance.now();
  const child = spawn(process.execPath, ['dist/cli.js', 'posts', ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: config.database.url, DATA_DIR: config.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const usage = { peak: 0, ticks: new Map() };
  const watching = setInterval(() => observe(child.pid, usage), 100);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearInterval(watching);
  if (!output.includes('"counts"')) throw new Error(`The command failed: ${errors}${output}`);
  const seconds = (performance.now() - start) / 1000;
  const busy = [...usage.ticks.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
  return { json: JSON.parse(output), peak: Math.round(usage.peak / 1024), seconds, busy };
}

/** Adds up the memory of a process and of those below it, what they share once (Linux only). */
function observe(root, usage) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readOrNothing(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    parents.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
  }
  let sum = 0;
  for (const [pid, { ticks }] of parents) {
    if (!isBelow(pid, root, parents)) continue;
    sum += Number(/^Pss:\s+(\d+)/m.exec(readOrNothing(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
    usage.ticks.set(pid, ticks);
  }
  usage.peak = Math.max(usage.peak, sum);
}

function isBelow(pid, root, parents) {
  for (let at = pid; at !== undefined && at !== 0; at = parents.get(at)?.parent) if (at === root) return true;
  return false;
}

/** A process may end while it is looked at. */
function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Photos that are told from each other, as cameras of phones make them; every hundredth post is about the film. */
async function benchPictures(config, folder) {
  const posts = join(folder, 'posts');
  await mkdir(posts);
  const noise = { type: 'gaussian', mean: 120, sigma: 30 };
  const [width, height] = [2400, 1600];
  const size = { width: width + 2 * count, height, channels: 3 };
  const data = await sharp({ create: { ...size, background: 'red', noise } })
    .blur(2)
    .raw()
    .toBuffer();
  for (let index = 0; index < count; index += 1) {
    await sharp(data, { raw: size })
      .extract({ left: 2 * index, top: 0, width, height })
      .jpeg({ quality: 80 })
      .toFile(join(posts, `${index}.jpg`));
    const film = index % 100 === 0 ? '\n\n<video src="film.mp4" controls></video>\n' : '';
    await writeFile(join(posts, `post-${index}.md`), `${makePost(index)}\n\n![Photo](${index}.jpg)${film}`);
  }
  await writeFilm(join(posts, 'film.mp4'));
  const { json, peak, seconds, busy } = await runCommand(config, ['import', posts, '--source', 'bench', '--json']);
  if (json.counts.created !== count) throw new Error(`Only ${json.counts.created} of ${count} posts were created`);
  const share = Math.round((busy / seconds / availableParallelism()) * 100);
  console.log(`${count} posts with a photo of 4 megapixels each, and a film of 200 MB`);
  console.log(`${seconds.toFixed(1)} s, ${share} % of all processors, at most ${peak} MiB of memory`);
  if (peak > LIMIT_WITH_PICTURES_MIB) process.exitCode = 1;
}

/** A film as far as its boxes say so. */
async function writeFilm(path) {
  const box = (kind, size) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + size);
    head.write(kind, 4, 'latin1');
    return head;
  };
  const file = createWriteStream(path);
  file.write(Buffer.concat([box('ftyp', 16), Buffer.from('isom\0\0\x02\0isomavc1', 'latin1')]));
  const end = Buffer.concat([box('moov', 19), Buffer.from('trak mdia hdlr vide')]);
  const size = FILM_BYTES - 24 - 8 - end.length;
  file.write(box('mdat', size));
  const piece = Buffer.alloc(1_000_000, 'x');
  for (let left = size; left > 0; left -= piece.length) {
    if (!file.write(piece.subarray(0, left))) await new Promise((resolve) => file.once('drain', resolve));
  }
  await new Promise((resolve) => file.end(end, resolve));
}

/** One import that makes posts, one that changes them all, and both taken back. */
async function benchUndo(config, folder) {
  const posts = join(folder, 'posts');
  await writePosts(posts);
  const take = ['import', posts, '--source', 'bench', '--json'];
  await runCommand(config, take);
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(posts, `post-${index}.md`), `${makePost(index)}\nAnd one line more.\n`);
  }
  await runCommand(config, take);
  for (const [run, outcome] of [
    [2, 'restored'],
    [1, 'trashed'],
  ]) {
    const { json, peak, seconds } = await runCommand(config, ['import', 'undo', String(run), '--yes', '--json']);
    if (json.counts[outcome] !== count) throw new Error(`Not all were ${outcome}: ${JSON.stringify(json.counts)}`);
    print(`${count} posts ${outcome}`, seconds);
    console.log(`at most ${peak} MiB of memory`);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
try {
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data') });
  const database = await openDatabase(config);
  try {
    const ready = { ...config, database: { ...config.database, url: database.url } };
    await (isLarge ? benchLarge : hasPictures ? benchPictures : isUndo ? benchUndo : bench)(ready, folder);
  } finally {
    await database.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
