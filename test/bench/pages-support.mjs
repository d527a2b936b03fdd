// What the measurements of pages share: servers on one processor, load from another, posts to show.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { preparePost } from '../../dist/src/posts/post-preparation.js';
import { ImportedPostsService } from '../../dist/src/import/imported-posts.service.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

export const SERVER_CPU = '0';
export const LOAD_CPU = '1';
/** Request headers of a current browser. */
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
/**
 * Request headers for a page that is rendered anew, because they carry an Authorization header; uncompressed, so that
 * only the rendering is measured.
 */
export const UNCACHED = { authorization: 'Bearer none', 'accept-encoding': 'identity' };
const TICKS_PER_SECOND = 100;

const STARTER = readFileSync(join(import.meta.dirname, '../../cli/tools/start.sh'), 'utf8');

/** How `npm start` starts it. */
export const SERVER_ARGUMENTS = [...STARTER.matchAll(/ (--[\w-]+=\d+)/g)]
  .map(([, flag]) => flag)
  .concat('dist/server.js');

/** The variables of the allocator that it sets. */
const ALLOCATOR = Object.fromEntries(
  [...STARTER.matchAll(/(MALLOC_\w+)="\$\{\1:-(\d+)\}"/g)].map(([, name, value]) => [name, value]),
);

/** The variables of a site over the embedded database of a folder. */
export const environmentOf = (folder) => ({
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://site.example',
  AUTH_JWT_KEYS: 'generated',
  AUTH_TOKEN_SECRET: 'generated',
  MAIL_CAPTURE: 'true',
  SITE_EMAIL: 'hello@site.example',
  DATA_DIR: folder,
  DATABASE_URL: 'embedded',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  ...ALLOCATOR,
  HOST: '127.0.0.1',
  PORT: '0',
});

export function pinned(cpu, command, args, options) {
  return spawn('taskset', ['-c', cpu, command, ...args], options);
}

/** Processor time of a process in seconds, all its threads together. */
export function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function residentMegabytesOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

export const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Requests a second, latency in milliseconds and processor time of one turn, from a process on the other processor. */
export async function load(server, path, headers, connections, seconds) {
  // What the turn before left behind must not count as this one's: it is over when a kept page comes at once.
  for (let took = Infinity; took > 20;) {
    const begun = performance.now();
    await (await fetch(server.url + '/')).arrayBuffer();
    took = performance.now() - begun;
  }
  const before = cpuSecondsOf(server.pid);
  const answers = await (connections === 1
    ? askOneByOne(server.url + path, headers, seconds)
    : askTogether(server.url + path, headers, connections, seconds));
  if (answers.total === 0) throw new Error(`${path}: no answer within ${seconds} s, give turns more time`);
  const expected = headers['if-none-match'] ? '304' : '200';
  const wrong = answers.statuses.filter((status) => status !== expected);
  if (answers.errors > 0 || wrong.length > 0) throw new Error(`${path}: ${answers.errors} errors, answers ${wrong}`);
  const { total, p50, p99 } = answers;
  return { rate: total / seconds, p50, p99, cpu: ((cpuSecondsOf(server.pid) - before) * 1e6) / total };
}

async function outputOf(args) {
  const child = pinned(LOAD_CPU, process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return JSON.parse(text);
}

async function askTogether(url, headers, connections, seconds) {
  const args = [join(import.meta.dirname, '../../node_modules/autocannon/autocannon.js'), '--json', '--no-progress'];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`);
  const { requests, latency, errors, statusCodeStats } = await outputOf([
    ...args,
    ...['-c', String(connections), '-d', String(seconds), url],
  ]);
  return { total: requests.total, p50: latency.p50, p99: latency.p99, errors, statuses: Object.keys(statusCodeStats) };
}

/** autocannon counts whole milliseconds; what one connection waits is a fraction of one. */
function askOneByOne(url, headers, seconds) {
  return outputOf([fileURLToPath(import.meta.url), '--ask', url, JSON.stringify(headers), String(seconds)]);
}

/** Asks again and again over one socket, with as little work per answer as can be. */
async function ask(url, headers, seconds) {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  const [times, statuses] = [[], new Set()];
  const end = performance.now() + seconds * 1000;
  await new Promise((resolve) => {
    let [sentAt, missing, head] = [0, 0, ''];
    const send = () => {
      if (performance.now() > end) return resolve();
      [sentAt, missing, head] = [performance.now(), -1, ''];
      socket.write(request);
    };
    socket.once('end', resolve);
    socket.on('data', (piece) => {
      if (missing < 0) {
        head += piece.latin1Slice();
        const at = head.indexOf('\r\n\r\n');
        if (at < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, at + 2))?.[1] ?? 0);
        statuses.add(head.slice(9, 12));
        missing = (head.startsWith('304', 9) ? 0 : length) - (head.length - at - 4);
      } else missing -= piece.length;
      if (missing > 0) return;
      times.push(performance.now() - sentAt);
      send();
    });
    send();
  });
  socket.destroy();
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(times, part));
  console.log(JSON.stringify({ total: times.length, p50, p99, errors: 0, statuses: [...statuses] }));
}

export function percentile(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 1000) / 1000;
}

/** Waits for the line in which a server says where it is. */
export async function urlOf(child) {
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

export async function stop(child) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

export async function start(name, args, environment) {
  const options = { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = pinned(SERVER_CPU, process.execPath, args, options);
  return { name, pid: child.pid, url: await urlOf(child), stop: () => stop(child) };
}

const words = 'Most trouble with passwords begins with one that is used twice. '.repeat(12);
const part = `<h2>A part of it</h2><p>${words}<strong>Write it down.</strong></p><ul><li>one</li><li>two</li></ul>`;

/** A published post as the API takes it. */
export const postOf = (index) => ({
  title: `Post ${index} of the benchmark`,
  slug: `post-${index}`,
  excerpt: 'What this post is about, in the two lines that a list shows of it, and a few words more.',
  content: part.repeat(4),
  author: 'Support desk',
  category: 'Security',
  tags: ['Passwords', 'Email'],
  image_url: null,
  image_alt: null,
  published_date: new Date(Date.UTC(2025, 0, 1) - index * 3_600_000).toISOString(),
  is_published: true,
});

/** Adds published posts, from one number up to another. */
export async function createPosts(config, from, to) {
  const { app, close } = await createAppContext(config);
  const posts = app.get(ImportedPostsService, { strict: false });
  for (let first = from; first < to; first += 500) {
    const indices = Array.from({ length: Math.min(500, to - first) }, (_, at) => first + at);
    const writes = indices.map((index) => ({ target: null, fields: preparePost(postOf(index)), isPublished: true }));
    await posts.savePosts(OPERATOR, writes);
  }
  await close();
}

export const cells = (values) => `| ${values.join(' | ')} |`;
export const whole = (value) => value.toFixed(0);

export function printHead(names) {
  console.log(cells(names));
  console.log(cells(names.map(() => '---')));
}

if (process.argv[2] === '--ask') await ask(process.argv[3], JSON.parse(process.argv[4]), Number(process.argv[5]));
