// What a page costs, beside the same bytes from a bare server of node:http and, where it is installed, from nginx, in
// one run: npm run bench
// Server and load generator run on a processor each; the servers take turns. A number as argument measures each turn
// for so many seconds instead of 2; --growth measures sites of 10 to 10,000 posts, --changes what happens while posts
// change. The tables are what docs/performance.md holds.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../dist/src/config/config.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import {
  BROWSER,
  cells,
  createPosts,
  environmentOf,
  load,
  median,
  pinned,
  printHead,
  residentMegabytesOf,
  SERVER_ARGUMENTS,
  SERVER_CPU,
  start,
  stop,
  UNCACHED,
  whole,
} from './pages-support.mjs';

const FILE = fileURLToPath(import.meta.url);
const TURNS = 3;
const CONNECTIONS = [1, 32, 128];
const POSTS = 100;
const PAGES = { home: '/', list: '/blogs', post: '/blogs/post-7' };
const PORT_OF_BARE = 18_790;
const PORT_OF_NGINX = 18_791;
/** Distributions install nginx in a folder that is not in everybody's PATH. */
const NGINX = ['nginx', '/usr/sbin/nginx'].find((command) => !spawnSync(command, ['-v']).error);

/** The servers take turns, so that what else the machine does meets them alike. */
async function compare(servers, path, headers, connections, seconds) {
  const turns = new Map(servers.map((server) => [server, []]));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const server of servers) turns.get(server).push(await load(server, path, headers, connections, seconds));
  }
  return servers.map((server) => {
    const of = (key) => median(turns.get(server).map((result) => result[key]));
    return { name: server.name, rate: of('rate'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') };
  });
}

/**
 * Collects the answers for the bare server: the product's bytes for each page, for new visitors and for those who have
 * it.
 */
async function copyAnswers(url) {
  const answers = {};
  for (const path of Object.values(PAGES)) {
    // Rendered, compressed quickly, lasting long enough for the best compression: brotli is there then.
    let answer = await fetch(url + path, { headers: BROWSER });
    while (answer.headers.get('content-encoding') !== 'br') answer = await fetch(url + path, { headers: BROWSER });
    const raw = await rawAnswer(url + path, BROWSER);
    const unchanged = await rawAnswer(url + path, { ...BROWSER, 'if-none-match': raw.etag });
    answers[path] = { ...raw, unchangedHeaders: unchanged.headers };
  }
  return answers;
}

async function rawAnswer(url, headers) {
  const { request } = await import('node:http');
  const call = request(url, { headers, agent: false });
  call.end();
  const [answer] = await once(call, 'response');
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const sent = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    if (!own.has(answer.rawHeaders[at].toLowerCase())) sent.push(answer.rawHeaders[at], answer.rawHeaders[at + 1]);
  }
  return { etag: answer.headers.etag, headers: sent, body: Buffer.concat(chunks).toString('base64') };
}

/** The bare server: looks a path up and sends what is there. */
function serveBare(file) {
  const answers = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));
  for (const answer of answers.values()) answer.body = Buffer.from(answer.body, 'base64');
  const server = createServer({ keepAliveTimeout: 70_000 }, (request, response) => {
    const answer = answers.get(request.url);
    if (request.headers['if-none-match'] === answer.etag) {
      response.writeHead(304, answer.unchangedHeaders);
      response.end();
      return;
    }
    response.writeHead(200, answer.headers);
    response.end(answer.body);
  });
  server.listen(PORT_OF_BARE, '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${PORT_OF_BARE}`));
}

/** One worker that sends the same compressed bytes as files, or nothing where there is no nginx. */
async function startNginx(folder, answers) {
  if (!NGINX) return undefined;
  const locations = Object.entries(answers).map(([path, { body, headers }], index) => {
    writeFileSync(join(folder, `page-${index}.html`), Buffer.from(body, 'base64'));
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1]]] : []));
    const added = pairs.filter(([name]) => !['content-type', 'content-length', 'etag'].includes(name));
    const lines = added.map(([name, value]) => `add_header ${name} "${value.replaceAll('"', '\\"')}";`);
    return `location = ${path} { root ${folder}; try_files /page-${index}.html =404; default_type text/html; ${lines.join(' ')} }`;
  });
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(
    configuration,
    `${process.getuid() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit; events { worker_connections 1024; }
http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/nginx-${name};`).join(' ')}
access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10;
types {} server { listen 127.0.0.1:${PORT_OF_NGINX}; ${locations.join('\n')} } }`,
  );
  const child = pinned(SERVER_CPU, NGINX, ['-p', folder, '-c', configuration], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${PORT_OF_NGINX}`;
  while (!(await fetch(url).catch(() => undefined)))
    if (child.exitCode !== null) throw new Error('nginx did not start');
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  return { name: 'nginx', pid, url, stop: () => stop(child) };
}

/** Ratios are the site's rate by that of the server of the row. */
function printRows(what, connections, results) {
  const site = results.find(({ name }) => name === 'site');
  for (const { name, rate, p50, p99, cpu } of results) {
    const ratio = name === 'site' ? '' : (site.rate / rate).toFixed(2);
    console.log(cells([what, connections, name, whole(rate), ratio, p50, p99, cpu.toFixed(cpu < 100 ? 1 : 0)]));
  }
}

async function measure(site, references, answers, seconds) {
  printHead(['page', 'connections', 'server', 'answers/s', 'ratio', 'p50 ms', 'p99 ms', 'CPU µs/answer']);
  for (const [name, path] of Object.entries(PAGES)) {
    for (const connections of CONNECTIONS) {
      const results = await compare([site, ...references], path, BROWSER, connections, seconds);
      printRows(`${name}, cached`, connections, results);
    }
    const has = { ...BROWSER, 'if-none-match': answers[path].etag };
    printRows(`${name}, 304`, 32, await compare([site, references[0]], path, has, 32, seconds));
    for (const connections of CONNECTIONS) {
      printRows(`${name}, uncached`, connections, await compare([site], path, UNCACHED, connections, seconds));
    }
  }
}

async function main(seconds) {
  if (availableParallelism() < 2) throw new Error('Server and load generator need a processor each');
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  const environment = environmentOf(folder);
  // Held open here, so that it is not bound to the processor of the server that would start it.
  const database = await openDatabase(loadConfig(environment));
  const running = [];
  try {
    await createPosts(loadConfig(environment), 0, POSTS);
    const site = await start('site', SERVER_ARGUMENTS, environment);
    running.push(site);
    const answers = await copyAnswers(site.url);
    writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
    const bare = await start('node:http', [FILE, '--bare', join(folder, 'answers.json')], {});
    running.push(bare);
    const nginx = await startNginx(folder, answers);
    if (nginx) running.push(nginx);
    console.log(`${cpus()[0].model}, Node ${process.version}, ${POSTS} posts, ${TURNS} turns of ${seconds} s each\n`);
    await measure(site, nginx ? [bare, nginx] : [bare], answers, seconds);
    console.log(`\nMemory of the site after that: ${whole(residentMegabytesOf(site.pid))} MB`);
  } finally {
    for (const server of running.reverse()) await server.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [mode] = process.argv.slice(2);
if (mode === '--bare') serveBare(process.argv[3]);
else if (mode === '--growth') await import('./pages-growth.mjs');
else if (mode === '--profile') await import('./pages-profile.mjs');
else if (mode === '--changes') await import('./pages-changes.mjs');
else await main(Number(mode ?? 2));
