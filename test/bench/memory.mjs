// Resident memory of a server process after its start and after a bounded load, with each setting of V8 and of the
// allocator dropped in turn: node test/bench/memory.mjs, after a build. Variants take turns in one run; a number as
// argument is that of the turns instead of 3, further arguments are variants to measure instead of all.
// The same requests whatever the machine does meanwhile: time is not measured.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import {
  BROWSER,
  cells,
  createPosts,
  environmentOf,
  median,
  printHead,
  residentMegabytesOf,
  stop,
  UNCACHED,
  urlOf,
  whole,
} from './pages-support.mjs';

const POSTS = 100;
const PAGES = ['/', '/blogs', '/blogs/post-7'];
const UNCACHED_ANSWERS = 400;
const CACHED_ANSWERS = 400;
const CONNECTIONS = 16;
const IMAGES = 4;
const ACCOUNT = { email: 'admin@site.example', password: 'correct horse battery staple' };

const FLAGS = [
  '--initial-heap-size=64',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-concurrent-recompilation',
];
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '65536' };
const MALLOC = Object.entries(ALLOCATOR).map(([name, value]) => `${name}=${value}`);
const ALL = [...FLAGS, ...MALLOC];
const FOUR = [FLAGS[2], FLAGS[3], MALLOC[0], MALLOC[1]];
const VARIANTS = {
  all: ALL,
  none: [],
  'the allocator only': MALLOC,
  'V8 only': FLAGS,
  'the four': FOUR,
  'the four and --min-semi-space-size=8': ['--min-semi-space-size=8', ...FOUR],
  'the four without MALLOC_ARENA_MAX=2': FOUR.filter((name) => !name.includes('ARENA')),
  'the four without MALLOC_MMAP_THRESHOLD_=32768': FOUR.filter((name) => !name.includes('MMAP')),
  ...Object.fromEntries(ALL.map((setting) => [`without ${setting}`, ALL.filter((other) => other !== setting)])),
};

async function start(settings, environment) {
  const variables = Object.fromEntries(
    settings.filter((name) => name.startsWith('MALLOC_')).map((it) => it.split('=')),
  );
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('MALLOC_')));
  const child = spawn(process.execPath, [...settings.filter((name) => name.startsWith('--')), 'dist/server.js'], {
    env: { ...process.env, ...rest, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, pid: child.pid, url: await urlOf(child) };
}

async function ask(url, options, count, connections) {
  let left = count;
  const askOn = async () => {
    while (left > 0) {
      const answer = await fetch(url, options);
      await answer.arrayBuffer();
      // A machine that is busy with other things may be too slow for the database's limits.
      if (answer.status === 200) left -= 1;
      else if (answer.status !== 503) throw new Error(`${url}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, askOn));
}

async function signIn(url) {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  if (!answer.ok) throw new Error(`Sign-in: ${await answer.text()}`);
  return (await answer.json()).access_token;
}

/** A photograph that no turn before had: the same bytes would be the same image. */
function photograph(seed) {
  const [width, height] = [2000, 1400];
  const noise = { type: 'gaussian', mean: 128, sigma: 20 };
  const background = { r: seed % 256, g: (seed >> 8) % 256, b: 90 };
  return sharp({ create: { width, height, channels: 3, background, noise } })
    .jpeg({ quality: 70 })
    .toBuffer();
}

async function upload(url, token, image) {
  const body = new FormData();
  body.set('file', new Blob([image], { type: 'image/jpeg' }), 'photograph.jpg');
  const answer = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (answer.status !== 201) throw new Error(`Upload: ${answer.status} ${await answer.text()}`);
}

let images = 0;

async function measure(settings, environment) {
  const server = await start(settings, environment);
  try {
    return await measureServer(server);
  } finally {
    await stop(server.child);
  }
}

async function measureServer(server) {
  await ask(server.url + '/', {}, 1, 1);
  const started = residentMegabytesOf(server.pid);
  for (const page of PAGES) await ask(server.url + page, { headers: UNCACHED }, UNCACHED_ANSWERS, CONNECTIONS);
  for (const page of PAGES) await ask(server.url + page, { headers: BROWSER }, CACHED_ANSWERS, CONNECTIONS);
  const loaded = residentMegabytesOf(server.pid);
  const token = await signIn(server.url);
  for (let image = 0; image < IMAGES; image += 1) await upload(server.url, token, await photograph((images += 7919)));
  for (const page of PAGES) await ask(server.url + page, { headers: UNCACHED }, UNCACHED_ANSWERS / 10, CONNECTIONS);
  const uploaded = residentMegabytesOf(server.pid);
  return { started, loaded, uploaded };
}

const turns = Number(process.argv[2] ?? 3);
const chosen = process.argv.slice(3);
const variants = Object.entries(VARIANTS).filter(([name]) => chosen.length === 0 || chosen.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'memory-'));
const environment = { ...environmentOf(folder), AUTH_RATE_LIMIT_TOKEN: '0' };
try {
  const config = loadConfig(environment);
  const database = await openDatabase(config);
  await database.close();
  const env = { ...process.env, ...environment };
  execFileSync(process.execPath, ['dist/cli.js', 'db', 'migrate'], { env, stdio: 'ignore' });
  execFileSync(process.execPath, ['dist/cli.js', 'users', 'create', ACCOUNT.email, '--admin'], {
    env,
    input: `${ACCOUNT.password}\n`,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await createPosts(config, 0, POSTS);
  const results = new Map(variants.map(([name]) => [name, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, settings] of variants) {
      const result = await measure(settings, environment);
      results.get(name).push(result);
      console.error(turn, name, Object.values(result).map(whole).join(' '));
    }
  }
  printHead(['settings', 'after the start', 'after pages', 'after images and pages']);
  for (const [name, measured] of results) {
    const of = (key) => whole(median(measured.map((result) => result[key])));
    console.log(cells([name, of('started'), of('loaded'), of('uploaded')]));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
