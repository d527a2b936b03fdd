// How fast posts come in, beside the plain INSERT rate of the same database, in one run: npm run bench:import
// Ends with 1 below the promised 200 posts a second. A number as argument imports so many posts instead of 2,000.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { ImportService } from '../../dist/src/posts/import.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

const WANTED_PER_SECOND = 200;
const count = Number(process.argv[2] ?? 2000);

/** About 600 words with what posts have: headings, links, lists, a table, code. */
function makePost(index) {
  const paragraph = (n) =>
    `Paragraph ${n} of post ${index} says **something** about [backups](https://example.com/${n}) and *passwords*, ` +
    'as posts of this kind do, at some length and with a few words more than would be needed. '.repeat(3);
  const parts = Array.from({ length: 8 }, (_, n) => `## Part ${n}\n\n${paragraph(n)}\n\n- one\n- two\n- three\n`);
  return `---
title: "Post ${index} of the benchmark"
date: 2024-01-${String((index % 28) + 1).padStart(2, '0')}
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
  const items = await Array.fromAsync(imports.importPosts(OPERATOR, folder));
  return { seconds: (performance.now() - start) / 1000, items };
}

function print(what, seconds) {
  const rate = String(Math.round(count / seconds)).padStart(6);
  console.log(`${what.padEnd(28)} ${seconds.toFixed(2).padStart(7)} s ${rate} a second`);
}

async function bench(config, posts) {
  const { app, close } = await createAppContext(config);
  try {
    const imports = app.get(ImportService, { strict: false });
    const first = await measureImport(imports, posts);
    const created = first.items.filter(({ outcome }) => outcome === 'created').length;
    if (created !== count) throw new Error(`Only ${created} of ${count} posts were created`);
    const again = await measureImport(imports, posts);
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(`${count} posts without images, embedded PostgreSQL, at most ${memory} MB of memory`);
    print('imported', first.seconds);
    print('imported again, unchanged', again.seconds);
    print('plain INSERT, one by one', await measurePlainInsert(config.database.url));
    if (count / first.seconds < WANTED_PER_SECOND) process.exitCode = 1;
  } finally {
    await close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
try {
  const posts = join(folder, 'posts');
  await writePosts(posts);
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data') });
  const database = await openDatabase(config);
  try {
    await bench({ ...config, database: { ...config.database, url: database.url } }, posts);
  } finally {
    await database.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
