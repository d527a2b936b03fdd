// Searches over 10,000 posts beside reads of one post by its address: npm run bench:search, with another number of posts after --.
// Milliseconds over HTTP, one request after the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { ImportedPostsService } from '../../dist/src/import/imported-posts.service.js';
import { preparePost } from '../../dist/src/posts/post-preparation.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';
import { cells, environmentOf, printHead, SERVER_ARGUMENTS, start } from './pages-support.mjs';

const POSTS = Number(process.argv[2] ?? 10_000);
const ASKED = 1000;
const WARM_UP = 200;
const COMMON =
  'backup server network password office email phone printer cloud security update windows laptop router support ' +
  'business team work data file user account system login screen cable wireless the and for with your from that this';

let seed = 1;
function random(below) {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
}

const common = COMMON.split(' ');
const syllables = 'ba de fi go lu ma ne pi ro su ta ve zi ko'.split(' ');
/** 20,000 words, some of which are in many posts and most in few. */
const vocabulary = Array.from({ length: 20_000 }, (_, index) => {
  let word = '';
  for (let rest = index + 14; rest > 0; rest = Math.floor(rest / 14)) word += syllables[rest % 14];
  return word + ['', 's', 'ing'][index % 3];
});
const wordOf = () =>
  random(3) === 0 ? common[random(common.length)] : vocabulary[Math.floor(20_000 * (random(1e6) / 1e6) ** 3)];
const wordsOf = (count) => Array.from({ length: count }, wordOf).join(' ');

function postOf(index) {
  return preparePost({
    title: wordsOf(7),
    slug: `post-${index}`,
    excerpt: wordsOf(20),
    content: Array.from({ length: 10 }, () => `<p>${wordsOf(60)}</p>`).join(''),
    author: `Author ${index % 20}`,
    category: `Category ${index % 30}`,
    tags: [`tag-${index % 50}`, common[index % common.length]],
    image_url: null,
    image_alt: null,
    published_date: new Date(1.5e12 + index * 3.6e6).toISOString(),
    is_published: true,
  });
}

async function createPosts(config) {
  const { app, close } = await createAppContext(config);
  try {
    const posts = app.get(ImportedPostsService, { strict: false });
    for (let first = 0; first < POSTS; first += 100) {
      const writes = Array.from({ length: 100 }, (_, index) => ({
        target: null,
        fields: postOf(first + index),
        isPublished: true,
      }));
      await posts.savePosts(OPERATOR, writes);
    }
  } finally {
    await close();
  }
}

/** Queries as people write them, by kind. */
const queries = {
  'a word of few posts': () => vocabulary[10_000 + random(10_000)],
  'a word of some posts': () => vocabulary[random(500)],
  'a word of most posts': () => common[random(common.length)],
  'two words of most posts': () => `${common[random(common.length)]} ${common[random(common.length)]}`,
  'an unfinished word': () => vocabulary[random(20_000)].slice(0, 4),
  'a phrase': () => `"${common[random(common.length)]} ${common[random(common.length)]}"`,
  'a misspelled word': () => common[random(common.length)].replace(/^(.)(.)/, '$2$1'),
};

async function measure(url, addressOf, asked = ASKED) {
  const times = [];
  for (let turn = 0; turn < asked; turn += 1) {
    const address = url + addressOf();
    const begun = performance.now();
    const answer = await fetch(address);
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  }
  times.sort((one, other) => one - other);
  return { p50: times[Math.floor(asked / 2)], p99: times[Math.floor(asked * 0.99)] };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-search-'));
const environment = { ...environmentOf(folder), SEARCH_RATE_LIMIT: '100000' };
const database = await openDatabase(loadConfig(environment));
try {
  const begun = performance.now();
  await createPosts(loadConfig(environment));
  console.log(`${POSTS} posts written in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const site = await start('site', SERVER_ARGUMENTS, environment);
  try {
    const read = () => `/api/posts/post-${random(POSTS)}`;
    await measure(site.url, read, WARM_UP);
    const byKey = await measure(site.url, read);
    printHead(['asked', 'p50', 'p99', 'against a read by key']);
    console.log(cells(['a post by its address', byKey.p50.toFixed(1), byKey.p99.toFixed(1), '1.0']));
    const kinds = Object.values(queries);
    const all = { 'all of these in turns': () => kinds[random(kinds.length)]() };
    for (const [kind, queryOf] of Object.entries({ ...queries, ...all })) {
      const addressOf = () => `/api/search?q=${encodeURIComponent(queryOf())}`;
      await measure(site.url, addressOf, WARM_UP);
      const { p50, p99 } = await measure(site.url, addressOf);
      console.log(cells([kind, p50.toFixed(1), p99.toFixed(1), (p99 / byKey.p99).toFixed(1)]));
    }
  } finally {
    await site.stop();
  }
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}
