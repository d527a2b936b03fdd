// How fast posts come in, beside the plain INSERT rate of the same database, in one run: npm run bench:import
// Ends with 1 when 5,000 posts would take more than a minute. A number as argument imports so many posts instead.
// With --large it imports exports of 100 MB instead, from WordPress and as a table, through the command line, and ends
// with 1 if that takes more than 256 MiB of memory at any time.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { ImportService } from '../../dist/src/import/import.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

const LIMIT_SECONDS = 60;
const LIMIT_POSTS = 5000;
const LARGE_BYTES = 100 * 1024 * 1024;
const LIMIT_MIB = 256;
const isLarge = process.argv.includes('--large');
const count = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? LIMIT_POSTS);

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
  const sayPeak = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`;
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${sayPeak}`,
      'dist/cli.js',
      'posts',
      'import',
      path,
      '--source',
      'bench',
      '--no-fetch',
      '--json',
    ],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: config.database.url, DATA_DIR: config.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const peak = /peak (\d+)/.exec(errors)?.[1];
  if (peak === undefined || !output.includes('"counts"')) throw new Error(`The import failed: ${errors}${output}`);
  return { counts: JSON.parse(output).counts, peak: Math.round(Number(peak) / 1024) };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
try {
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data') });
  const database = await openDatabase(config);
  try {
    const ready = { ...config, database: { ...config.database, url: database.url } };
    await (isLarge ? benchLarge(ready, folder) : bench(ready, folder));
  } finally {
    await database.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
