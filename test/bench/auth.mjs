// What accounts cost, each measurement beside what it is made of, in one run: npm run bench:auth
// A number as argument measures each for so many seconds instead of 5.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import autocannon from 'autocannon';
import pg from 'pg';
import { UsersService } from '../../dist/src/auth/admin/users.service.js';
import { loadConfig } from '../../dist/src/config/config.js';
import { createAppContext } from '../../dist/src/server/create-app.js';
import { openDatabase } from '../../dist/src/database/open-database.js';
import { OPERATOR } from '../../dist/src/shared/actor.js';

const seconds = Number(process.argv[2] ?? 5);
/** People who sign in or refresh at the same time, each in a loop. */
const PEOPLE = 8;
const PASSWORD = 'correct horse 7';
/** As in src/auth/passwords/passwords.service.ts, and so many at once as there. */
const COST = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const HASHES_AT_ONCE = Math.min(4, availableParallelism());
/** Renders once and is then answered from memory. */
const CACHED_PAGE = '/about';
const PAGES_PER_SECOND = 100;

/** How many times a second `task` is done by that many at once, until `isOver`. */
async function measureRate(workers, task, isOver = afterSeconds()) {
  const start = performance.now();
  let count = 0;
  const work = async (_, worker) => {
    while (!isOver()) {
      await task(worker);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return (count * 1000) / (performance.now() - start);
}

function afterSeconds(limit = seconds) {
  const end = performance.now() + limit * 1000;
  return () => performance.now() > end;
}

const TURNS = 5;

/** Rates of several tasks, measured by turns, as the machine may be faster at one time than at another. */
async function measureByTurns(tasks) {
  const rates = Object.fromEntries(Object.keys(tasks).map((name) => [name, 0]));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, { workers = PEOPLE, task }] of Object.entries(tasks)) {
      rates[name] += (await measureRate(workers, task, afterSeconds(seconds / TURNS))) / TURNS;
    }
  }
  return rates;
}

async function post(url, body) {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

/** An attempt to sign in that is refused. */
async function tryToSignIn(api, email) {
  const body = JSON.stringify({ email, password: 'another horse 8' });
  const answer = await fetch(`${api}/token?grant_type=password`, { method: 'POST', body });
  if (answer.status !== 400) throw new Error(`An attempt to sign in was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

/** The cookies of the devices on which people have signed in before. */
const devices = new Map();

/** Signs in on the device of the last time, as people do with a browser. */
async function signIn(api, person) {
  const answer = await signInWith(api, person, { cookie: devices.get(person) ?? '' });
  devices.set(person, answer.headers.getSetCookie()[0].split(';', 1)[0]);
  return await answer.json();
}

/** Signs in without a cookie, as programs do. */
async function signInAnew(api, person) {
  const answer = await signInWith(api, person, {});
  await answer.arrayBuffer();
}

async function signInWith(api, person, headers) {
  const body = JSON.stringify({ email: `person-${person}@example.com`, password: PASSWORD });
  const answer = await fetch(`${api}/token?grant_type=password`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`A sign-in was answered with ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function measureRefreshes(api) {
  const tokens = await Promise.all(Array.from({ length: PEOPLE }, (_, person) => signIn(api, person)));
  return await measureRate(PEOPLE, async (person) => {
    const { refresh_token } = tokens[person];
    tokens[person] = await post(`${api}/token?grant_type=refresh_token`, { refresh_token });
  });
}

/** The rows that a refresh reads and writes, without anything around them. */
async function measureTransactions(url) {
  const pool = new pg.Pool({ connectionString: url, max: PEOPLE });
  const sql = `select s.id, s.user_id, t.id as token from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id
    where not t.is_revoked order by s.created_at desc limit ${PEOPLE}`;
  const { rows } = await pool.query(sql);
  const rate = await measureRate(PEOPLE, async (person) => {
    const client = await pool.connect();
    const row = rows[person];
    const next = randomUUID();
    await client.query('begin');
    await client.query('select * from auth.refresh_tokens where id = $1', [row.token]);
    await client.query('select * from auth.sessions where id = $1 for update', [row.id]);
    await client.query('select * from auth.users where id = $1', [row.user_id]);
    await client.query('update auth.refresh_tokens set is_revoked = true, updated_at = now() where id = $1', [
      row.token,
    ]);
    await client.query(
      'insert into auth.refresh_tokens (id, session_id, token_hash, parent_id) values ($1, $2, $3, $4)',
      [next, row.id, (next + next).replaceAll('-', ''), row.token],
    );
    await client.query('update auth.sessions set refreshed_at = now() where id = $1', [row.id]);
    await client.query('select * from auth.identities where user_id = $1', [row.user_id]);
    await client.query('commit');
    client.release();
    row.token = next;
  });
  await pool.end();
  return rate;
}

/** Milliseconds within which 99 of 100 requests for a cached page are answered, at a rate that visitors may have. */
async function measurePage(url) {
  const options = { url: url + CACHED_PAGE, duration: seconds, connections: 4, overallRate: PAGES_PER_SECOND };
  const { latency, non2xx, errors } = await autocannon(options);
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests for ${CACHED_PAGE} failed`);
  return latency.p99;
}

async function measurePageWhileSigningIn(url, api) {
  let isOver = false;
  const signIns = measureRate(
    PEOPLE,
    (person) => signIn(api, person),
    () => isOver,
  );
  const p99 = await measurePage(url);
  isOver = true;
  await signIns;
  return p99;
}

async function createPeople(config) {
  const { app, close } = await createAppContext(config);
  const users = app.get(UsersService, { strict: false });
  for (let person = 0; person < PEOPLE; person += 1) {
    await users.createUser(OPERATOR, { email: `person-${person}@example.com`, password: PASSWORD, isConfirmed: true });
  }
  await close();
}

/** Wrong guesses are counted, as they are in production, and none of them has to wait. */
const UNPAUSED = { AUTH_GUESSES_PASSWORD: '1000', AUTH_GUESSES_PAUSE: '0', AUTH_GUESSES_NOTICE: '0' };

/** Starts the built server as `npm start` does, without the limits that would end the measurement. */
async function startServer(environment) {
  const server = spawn(process.execPath, ['dist/server.js'], {
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: '0', AUTH_RATE_LIMIT_TOKEN: '0', ...UNPAUSED },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of server.stdout) {
    const url = /Listening at (http:\S+)/.exec(chunk)?.[1];
    if (url === undefined) continue;
    const stop = async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    };
    return { url, stop };
  }
  throw new Error('The server did not start');
}

function print(what, value, unit, base) {
  const ratio = base === undefined ? '' : `${((value / base) * 100).toFixed(0)} %`;
  console.log(`${what.padEnd(44)} ${value.toFixed(1).padStart(9)} ${unit.padEnd(9)} ${ratio.padStart(6)}`);
}

async function bench(config, environment) {
  await createPeople(config);
  const server = await startServer(environment);
  try {
    const api = server.url + config.auth.basePath;
    await Promise.all(Array.from({ length: PEOPLE }, (_, person) => signIn(api, person)));
    console.log(`${PEOPLE} people at once, ${seconds} s each, ${availableParallelism()} cores, embedded PostgreSQL`);
    const stored = await hash(PASSWORD, COST);
    const rates = await measureByTurns({
      hashes: { workers: HASHES_AT_ONCE, task: () => verify(stored, PASSWORD) },
      signIns: { task: (person) => signIn(api, person) },
      anew: { task: (person) => signInAnew(api, person) },
      // Nobody may learn from the time whether there is such an account.
      refused: { task: (person) => tryToSignIn(api, `person-${person}@example.com`) },
      unknown: { task: (person) => tryToSignIn(api, `nobody-${person}@example.com`) },
    });
    print(`argon2 alone, ${HASHES_AT_ONCE} at once`, rates.hashes, 'a second');
    print('sign-ins', rates.signIns, 'a second', rates.hashes);
    print('sign-ins without a known device', rates.anew, 'a second', rates.hashes);
    print('sign-ins with a wrong password', rates.refused, 'a second', rates.hashes);
    print('the same where there is no such account', rates.unknown, 'a second', rates.refused);
    const transactions = await measureTransactions(config.database.url);
    print('the transaction of a refresh alone', transactions, 'a second');
    print('refreshes', await measureRefreshes(api), 'a second', transactions);
    const idle = await measurePage(server.url);
    print(`99th percentile of a cached page, ${PAGES_PER_SECOND} a second`, idle, 'ms');
    print('the same while people sign in', await measurePageWhileSigningIn(server.url, api), 'ms', idle);
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-auth-'));
try {
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data') };
  const config = loadConfig(environment);
  const database = await openDatabase(config);
  try {
    const { url } = database;
    await bench({ ...config, database: { ...config.database, url } }, { ...environment, DATABASE_URL: url });
  } finally {
    await database.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
