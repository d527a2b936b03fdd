// What a page costs, beside the same bytes from a bare server of node:http and, where it is installed, from nginx, in
// one run: npm run bench
// Server and load generator run on a processor each; the servers take turns. A number as argument measures each turn
// for so many seconds instead of 2. The table is what docs/performance.md holds.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { preparePost } from '../../dist/src/posts/post-preparation.js';
import { PostsService } from '../../dist/src/posts/posts.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

const FILE = fileURLToPath(import.meta.url);
const SERVER_CPU = '0';
const LOAD_CPU = '1';
const TURNS = 3;
const CONNECTIONS = [1, 32, 128];
const POSTS = 100;
const PAGES = { home: '/', list: '/blogs', post: '/blogs/post-7' };
const PORT_OF_BARE = 18_790;
const PORT_OF_NGINX = 18_791;
/** What a current browser sends. */
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
/** Whoever says who they are gets a page rendered for them; uncompressed, so that only the rendering is measured. */
const UNCACHED = { authorization: 'Bearer none', 'accept-encoding': 'identity' };
const TICKS_PER_SECOND = 100;

function pinned(cpu, command, args, options) {
  return spawn('taskset', ['-c', cpu, command, ...args], options);
}

/** Processor time of a process in seconds, all its threads together. */
function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMegabytesOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Requests a second, latency in milliseconds and processor time of one turn, from a process on the other processor. */
async function load(server, path, headers, connections, seconds) {
  const args = [join(import.meta.dirname, '../../node_modules/autocannon/autocannon.js'), '--json', '--no-progress'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  args.push('-c', String(connections), '-d', String(seconds), server.url + path);
  // What the turn before left behind must not count as this one's: it is over when a kept page comes at once.
  for (let took = Infinity; took > 20;) {
    const begun = performance.now();
    await (await fetch(server.url + PAGES.home)).arrayBuffer();
    took = performance.now() - begun;
  }
  const before = cpuSecondsOf(server.pid);
  const child = pinned(LOAD_CPU, process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  const { requests, latency, errors, statusCodeStats } = JSON.parse(text);
  const expected = headers['if-none-match'] ? '304' : '200';
  const wrong = Object.keys(statusCodeStats).filter((status) => status !== expected);
  if (requests.total === 0) throw new Error(`${path}: no answer within ${seconds} s, give turns more time`);
  if (errors > 0 || wrong.length > 0) throw new Error(`${path}: ${errors} errors, answers ${wrong}`);
  return {
    rate: requests.total / seconds,
    p50: latency.p50,
    p99: latency.p99,
    cpu: ((cpuSecondsOf(server.pid) - before) * 1e6) / requests.total,
  };
}

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

/** Waits for the line in which a server says where it is. */
async function urlOf(child) {
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk;
    const url = /Listening at (http:\S+)/.exec(text)?.[1];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('A server did not start');
}

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function start(name, args, environment) {
  const options = { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = pinned(SERVER_CPU, process.execPath, args, options);
  return { name, pid: child.pid, url: await urlOf(child), stop: () => stop(child) };
}

/** What the bare server is told to answer: the bytes of the product, for each page as it is and for who has it. */
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
  if (spawnSync('nginx', ['-v']).error) return undefined;
  const locations = Object.entries(answers).map(([path, { body, headers }], index) => {
    writeFileSync(join(folder, `page-${index}.html`), Buffer.from(body, 'base64'));
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1]]] : []));
    const added = pairs.filter(([name]) => !['content-type', 'content-length', 'etag'].includes(name));
    const lines = added.map(([name, value]) => `add_header ${name} "${value.replaceAll('"', '\\"')}";`);
    return `location = ${path} { alias ${folder}/page-${index}.html; default_type text/html; ${lines.join(' ')} }`;
  });
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit; events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10;
types {} server { listen 127.0.0.1:${PORT_OF_NGINX}; ${locations.join('\n')} } }`,
  );
  const child = pinned(SERVER_CPU, 'nginx', ['-p', folder, '-c', configuration], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${PORT_OF_NGINX}`;
  while (!(await fetch(url).catch(() => undefined)))
    if (child.exitCode !== null) throw new Error('nginx did not start');
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  return { name: 'nginx', pid, url, stop: () => stop(child) };
}

async function createPosts(config) {
  const { app, close } = await createAppContext(config);
  const words = 'Most trouble with passwords begins with one that is used twice. '.repeat(12);
  const part = `<h2>A part of it</h2><p>${words}<strong>Write it down.</strong></p><ul><li>one</li><li>two</li></ul>`;
  const posts = Array.from({ length: POSTS }, (_, index) => ({
    title: `Post ${index} of the benchmark`,
    slug: `post-${index}`,
    excerpt: 'What this post is about, in the two lines that a list shows of it, and a few words more.',
    content: part.repeat(4),
    author: 'Support desk',
    category: 'Security',
    tags: ['Passwords', 'Email'],
    image_url: null,
    image_alt: null,
    published_date: new Date(Date.UTC(2025, 0, 1) - index * 86_400_000).toISOString(),
    is_published: true,
  }));
  const writes = posts.map((post) => ({ target: null, fields: preparePost(post), isPublished: true }));
  await app.get(PostsService, { strict: false }).savePosts(OPERATOR, writes);
  await close();
}

const cells = (values) => `| ${values.join(' | ')} |`;
const whole = (value) => value.toFixed(0);

function printRows(what, connections, results) {
  const base = results.find(({ name }) => name !== 'site');
  for (const { name, rate, p50, p99, cpu } of results) {
    const ratio = name === 'site' && base ? (rate / base.rate).toFixed(2) : '';
    console.log(cells([what, connections, name, whole(rate), ratio, p50, p99, cpu.toFixed(cpu < 100 ? 1 : 0)]));
  }
}

async function measure(site, references, answers, seconds) {
  console.log(cells(['page', 'connections', 'server', 'answers/s', 'ratio', 'p50 ms', 'p99 ms', 'CPU µs/answer']));
  console.log(cells(Array.from({ length: 8 }, () => '---')));
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
  const environment = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://site.example',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    MAIL_CAPTURE: 'true',
    DATA_DIR: folder,
    DATABASE_URL: 'embedded',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    HOST: '127.0.0.1',
    PORT: '0',
  };
  // Held open here, so that it is not bound to the processor of the server that would start it.
  const database = await openDatabase(loadConfig(environment));
  const running = [];
  try {
    await createPosts(loadConfig(environment));
    const site = await start('site', ['dist/server.js'], environment);
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

if (process.argv[2] === '--bare') serveBare(process.argv[3]);
else await main(Number(process.argv[2] ?? 2));
