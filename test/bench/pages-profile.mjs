// Where the time of a page that is in no cache goes, from the socket to React and back: npm run bench -- --profile
// Microseconds of processor time of the server process for each page, at 32 connections, and of a bare server of
// node:http that renders the same page from data that lies ready. The two take turns; compare figures of one run only.
// Two numbers as arguments measure so many turns instead of 3, at so many connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { SourceMap } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { loadBuiltBundle } from '../../dist/src/pages/client-bundle.js';
import {
  cells,
  cpuSecondsOf,
  createPosts,
  environmentOf,
  median,
  printHead,
  residentMegabytesOf,
  SERVER_ARGUMENTS,
  stop,
  urlOf,
  whole,
} from './pages-support.mjs';

const FILE = fileURLToPath(import.meta.url);
const ROOT = join(import.meta.dirname, '../..');
const CONNECTIONS = Number(process.argv[4] ?? 32);
const TURNS = Number(process.argv[3] ?? 3);
const POSTS = 100;
/** How many are asked for in a turn. */
const PAGES = {
  home: { path: '/', count: 320 },
  post: { path: '/blogs/post-7', count: 256 },
  list: { path: '/blogs', count: 96 },
};
const ENCODINGS = ['identity', 'gzip'];

/** The compiler's output instead of the bundle: the same code, in files by which time can be told apart. */
const serverArguments = SERVER_ARGUMENTS.map((argument) =>
  argument === 'dist/server.js' ? 'dist/src/main.js' : argument,
);

/** Starts a server that answers questions about itself. */
async function startProfiled(name, args, environment) {
  const preload = ['--import', join(import.meta.dirname, 'profiled.mjs')];
  const options = { cwd: ROOT, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] };
  const child = spawn(process.execPath, [...preload, ...args], options);
  const url = await urlOf(child);
  const ask = async (question, file) => {
    child.send({ question, file });
    const [{ answer }] = await once(child, 'message');
    return answer;
  };
  return { name, url, pid: child.pid, ask, stop: () => stop(child) };
}

/** Renders what the site would, for every request anew, from the data that stand in the site's own pages. */
async function serveBare(siteUrl) {
  const states = new Map();
  for (const { path } of Object.values(PAGES)) {
    const html = await (await fetch(siteUrl + path)).text();
    states.set(path, JSON.parse(/<script id="page-state"[^>]*>(.*?)<\/script>/s.exec(html)[1]));
  }
  const { blog } = states.get(PAGES.post.path).loaderData;
  // Lines of older posts stand in the list as HTML only.
  const list = await (await fetch(`${siteUrl}/api/blog`)).json();
  const bundle = await loadBuiltBundle();
  const services = { listPosts: async () => list, findPost: async () => blog.result };
  const { site } = states.get('/');
  const loader = await bundle.createLoader(services);
  const server = createServer(async (request, response) => {
    const page = await loader.load(`http://page${request.url}`, { site });
    const pieces = [];
    page.render(bundle.assetsFor(page.modules), bundle.inlineTexts, {
      write: (piece) => void pieces.push(Buffer.from(piece)),
      end: () => {
        const isGzip = request.headers['accept-encoding'] === 'gzip';
        const body = isGzip ? gzipSync(Buffer.concat(pieces), { level: 1 }) : Buffer.concat(pieces);
        const head = { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length };
        response.writeHead(200, isGzip ? { ...head, 'content-encoding': 'gzip' } : head).end(body);
      },
      destroy: (error) => response.destroy(error),
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${server.address().port}`));
}

/** Asks for a page so often. Returns false if not every answer was one: on a busy machine the database is given up. */
async function ask({ url }, { path, count }, encoding) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  // An Authorization header keeps the answer out of the cache.
  const options = { agent, headers: { authorization: 'Bearer none', 'accept-encoding': encoding } };
  let [left, isGood] = [count, true];
  const visit = async () => {
    while (left-- > 0) {
      const [answer] = await once(get(url + path, options), 'response');
      isGood &&= answer.statusCode === 200;
      await once(answer.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  agent.destroy();
  return isGood;
}

/** Microseconds of processor time of a process and, of the site, of its database for one page. */
async function timeOf(server, page, encoding, database, tries = 5) {
  const [before, databaseBefore] = [await server.ask('time'), database()];
  if (!(await ask(server, page, encoding))) {
    if (tries === 1) throw new Error(`${page.path}: some answers were no pages: ask over fewer connections`);
    return timeOf(server, page, encoding, database, tries - 1);
  }
  const [after, databaseAfter] = [await server.ask('time'), database()];
  const spent = after.user + after.system - before.user - before.system;
  return { server: spent / page.count, database: ((databaseAfter - databaseBefore) * 1e6) / page.count };
}

/** Processor seconds of all processes of the embedded database. */
function databaseSeconds(folder) {
  const main = /^\d+/.exec(readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'))[0];
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}

/** Parts of the way, the first that fits: by the file of a function, or by its name. */
const PARTS = [
  ['collecting garbage', /^\(garbage collector\)/],
  ['React', /node_modules\/(?:react|react-dom|scheduler)\//],
  ['router', /node_modules\/(?:react-router|react-router-dom)\//],
  ['page state as JSON', /^toScriptJson /],
  ['components', /\/client\//],
  ['compression', /(?:node:zlib|zlib)$/],
  ['hashing', /node:(?:crypto|internal\/crypto)|etagOf/],
  ['logging', /\/(?:pino|nestjs-pino|pino-http|pino-std-serializers)\/|request-log|log-options/],
  ['ORM', /\/@mikro-orm\/|\/kysely\//],
  ['database driver and pool', /\/pg[\w-]*\/|\/postgres-[\w-]+\/|src\/database\//],
  ['posts: rows to data', /src\/posts\/|src\/shared\//],
  ['pages: cache, stream, answer', /src\/pages\//],
  ['metrics', /src\/metrics\/|@prometheus-io/],
  ['hooks of the site', /src\/(?:http|server|auth|contact)\//],
  [
    'framework',
    /\/(?:fastify|@fastify|@nestjs|avvio|find-my-way|light-my-request|rxjs|middie|reusify|fastq)\/|secure-json-parse|fast-json/,
  ],
  ['other packages', /node_modules\//],
];
/** Parts for a stack without a file of a package or of ours. */
const NODE_PARTS = [
  ['sockets and HTTP', /node:(?:_http|net|internal\/(?:http|stream_base|streams|js_stream|net|timers)|timers|stream)/],
  ['promises and events', /node:(?:internal\/process|internal\/async|async_hooks|events|diagnostics)/],
];

/** Splits a profile's samples among the parts: a sample belongs to the innermost function that is of one. */
function partsOf(profile, originalOf) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of profile.nodes) for (const child of node.children ?? []) nodes.get(child).parent = node;
  const nameOf = ({ callFrame }) => `${callFrame.functionName} ${originalOf(callFrame)}`.trim();
  const find = (node, parts) => {
    for (let at = node; at; at = at.parent) {
      const name = nameOf(at);
      const part = parts.find(([, pattern]) => pattern.test(name));
      if (part) return part[0];
    }
    return undefined;
  };
  const hits = new Map();
  for (const node of profile.nodes) {
    if (!node.hitCount || node.callFrame.functionName === '(idle)') continue;
    const part = find(node, PARTS) ?? find(node, NODE_PARTS) ?? 'the program itself';
    hits.set(part, (hits.get(part) ?? 0) + node.hitCount);
  }
  return hits;
}

/** Finds the source of a function in the client's bundle for the server. */
function createOriginals() {
  const maps = new Map();
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.includes('/dist/client-server/')) return url;
    const file = `${fileURLToPath(url)}.map`;
    if (!maps.has(url)) maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null);
    return maps.get(url)?.findEntry(lineNumber, columnNumber).originalSource ?? url;
  };
}

async function profileOf(site, page, encoding, folder) {
  const file = join(folder, 'profile.json');
  await site.ask('begin');
  await ask(site, page, encoding);
  await site.ask('end', file);
  const parts = partsOf(JSON.parse(readFileSync(file, 'utf8')), createOriginals());
  const total = [...parts.values()].reduce((sum, hits) => sum + hits, 0);
  return new Map([...parts].map(([part, hits]) => [part, hits / total]));
}

/** Threads beside the main one, as part of the process's time. */
async function otherThreadsOf(site, page, encoding) {
  const read = () => [cpuSecondsOf(site.pid), cpuSecondsOf(`${site.pid}/task/${site.pid}`)];
  const [all, main] = read();
  await ask(site, page, encoding);
  const [allAfter, mainAfter] = read();
  return 1 - (mainAfter - main) / (allAfter - all);
}

async function measure(site, bare, encoding, folder) {
  const columns = [];
  for (const page of Object.values(PAGES)) {
    const turns = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const database = () => databaseSeconds(folder);
      turns.push({
        site: await timeOf(site, page, encoding, database),
        bare: await timeOf(bare, page, encoding, () => 0),
      });
    }
    const total = median(turns.map((turn) => turn.site.server));
    const others = await otherThreadsOf(site, page, encoding);
    const parts = await profileOf(site, page, encoding, folder);
    columns.push({
      total,
      quickest: Math.min(...turns.map((turn) => turn.site.server)),
      bare: median(turns.map((turn) => turn.bare.server)),
      bareQuickest: Math.min(...turns.map((turn) => turn.bare.server)),
      database: median(turns.map((turn) => turn.site.database)),
      parts: new Map([
        ...[...parts].map(([part, share]) => [part, share * (1 - others) * total]),
        ['other threads: garbage, compilers, compression', others * total],
      ]),
    });
  }
  return columns;
}

function print(encoding, columns) {
  printHead([`${encoding === 'identity' ? 'as it is' : encoding}, µs of a page`, ...Object.keys(PAGES)]);
  const row = (name, valueOf) => console.log(cells([name, ...columns.map(valueOf)]));
  row('**the site**', ({ total }) => whole(total));
  row('quickest turn', ({ quickest }) => whole(quickest));
  row('bare node:http and React', ({ bare }) => whole(bare));
  row('quickest turn', ({ bareQuickest }) => whole(bareQuickest));
  row('the site by bare', ({ total, bare }) => (total / bare).toFixed(2));
  const names = new Set(columns.flatMap(({ parts }) => [...parts.keys()]));
  const sum = (name) => columns.reduce((all, { parts }) => all + (parts.get(name) ?? 0), 0);
  for (const name of [...names].sort((one, other) => sum(other) - sum(one))) {
    row(name, ({ parts }) => whole(parts.get(name) ?? 0));
  }
  row('beside it, in PostgreSQL', ({ database }) => whole(database));
  console.log();
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const environment = environmentOf(folder);
  const database = await openDatabase(loadConfig(environment));
  const running = [];
  try {
    await createPosts(loadConfig(environment), 0, POSTS);
    const site = await startProfiled('site', serverArguments, environment);
    running.push(site);
    const flags = serverArguments.filter((argument) => argument.startsWith('--'));
    const bare = await startProfiled('bare', [...flags, FILE, '--bare', site.url], environment);
    running.push(bare);
    console.log(`${cpus()[0].model}, Node ${process.version}, ${POSTS} posts, medians of ${TURNS} turns\n`);
    // Compiled by then: what is measured is not the first renderings.
    for (const page of Object.values(PAGES)) {
      for (const encoding of ENCODINGS) for (const server of running) await ask(server, page, encoding);
    }
    for (const encoding of ENCODINGS) print(encoding, await measure(site, bare, encoding, folder));
    console.log(`Memory of the site after that: ${whole(residentMegabytesOf(site.pid))} MB`);
  } finally {
    for (const server of running.reverse()) await server.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === '--bare') await serveBare(process.argv[3]);
else await main();
