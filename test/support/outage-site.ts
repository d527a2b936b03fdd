import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { DATABASE_CONNECT_MS } from '../../src/config/time-limits.js';
import { REQUEST_LIMITS } from '../../src/database/pool/database-limits.js';
import { READ_LIMIT_MS, ServerPageServices } from '../../src/pages/page-services.js';
import { paths } from '../../src/shared/paths.js';
import { createAdministrator, buildForm, type Administrator } from './admin-posts.js';
import { onCleanup } from './cleanup.js';
import { createTestApp, type TestApp } from './create-test-app.js';
import { openDatabaseGate, type DatabaseGate } from './database-gate.js';
import { buildEnquiry } from './enquiries.js';
import { createPosts } from './factories.js';
import { withClient } from './installation.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** A site over a PostgreSQL server of its own, which a test may kill, with a proxy between the two. */
export interface OutageSite {
  readonly app: TestApp;
  readonly url: string;
  readonly gate: DatabaseGate;
  /** Address of the database without the proxy. */
  readonly databaseUrl: string;
  /** Sends a signal to the server: SIGINT is a fast shutdown. It is started again at once. */
  signalDatabase(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts people who send enquiries, save a post and read pages, until `stop`. */
  startCrowd(writers: number): Crowd;
  /** @returns what is wrong with the pool: connections that are neither idle nor lent, or that nobody gives back */
  findPoolHarm(): Promise<string[]>;
  /** @returns what was acknowledged and is not there */
  findLosses(acknowledged: Acknowledged): Promise<string[]>;
}

/** Everything that was answered with a success. */
export interface Acknowledged {
  readonly emails: readonly string[];
  /** The last title of the post that was answered with 200. */
  readonly title: string | null;
}

/** People at work. */
export interface Crowd {
  /** How many writes were acknowledged so far. */
  readonly count: () => number;
  /** Answers that were neither a success nor said what is away. */
  readonly wrong: readonly string[];
  stop(): Promise<Acknowledged>;
}

const FREE = {
  CONTACT_RATE_LIMIT_ADDRESS: '0',
  CONTACT_RATE_LIMIT_OVERALL: '0',
  AUTH_RATE_LIMIT_TOKEN: '1000000',
  AUTH_RATE_LIMIT_BURST: '1000000',
};

/** Starts a site with one post, an administrator, and pages that were read once. */
export async function startOutageSite(): Promise<OutageSite> {
  const folder = join(temporaryFolder(), 'postgres');
  const server = await startEmbeddedPostgres({ folder, isDurable: true });
  onCleanup(() => server.stop());
  await migrate(server.url);
  const gate = await openDatabaseGate(server.url);
  const app = await createTestApp({ DATABASE_URL: gate.url, ...FREE });
  // Those of the product, not of tests.
  Object.assign(app.get(ConnectionPool), { requestLimits: REQUEST_LIMITS, connectMs: DATABASE_CONNECT_MS });
  app.get(ServerPageServices).readLimitMs = READ_LIMIT_MS;
  const url = await app.listen();
  await createPosts(app, [{ slug: 'kept', title: 'Kept post' }]);
  const administrator = await createAdministrator(app, 'writer@example.com');
  const post = await administrator.call('POST', '/posts', buildForm({ slug: 'written' }));
  if (post.status !== 201) throw new Error(`The post could not be made: ${JSON.stringify(post.body)}`);
  const saving: Saving = { count: 0, version: post.body.version, title: '', saveId: '' };
  await until(async () => (await fetch(url + paths.blogs)).headers.get('x-cache') === 'hit');
  return {
    app,
    url,
    gate,
    databaseUrl: server.url,
    signalDatabase: async (signal) => {
      const pid = readPid(folder);
      process.kill(pid, signal);
      await until(() => readPid(folder) !== pid);
      await until(() => withClient(server.url, async (client) => (await client.query('select 1')).rowCount === 1));
    },
    startCrowd: (writers) => startCrowd({ url, administrator, postId: post.body.id, saving, writers }),
    findPoolHarm: () => findPoolHarm(app),
    findLosses: (acknowledged) => findLosses(server.url, post.body.id, acknowledged),
  };
}

function readPid(folder: string): number {
  return Number(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

interface Place {
  readonly url: string;
  readonly administrator: Administrator;
  readonly postId: string;
  readonly writers: number;
  readonly saving: Saving;
}

/** How far the post has come, and what is being saved: the title and the name of the save, empty when it was answered. */
interface Saving {
  count: number;
  version: number;
  title: string;
  saveId: string;
}

function startCrowd({ url, administrator, postId, saving, writers }: Place): Crowd {
  const emails: string[] = [];
  const wrong: string[] = [];
  const state = { isRunning: true, title: null as string | null };
  const countBefore = saving.count;
  const note = (what: string, status: number, body: string) => {
    const isNamed = status === 503 && body.includes('database_unavailable');
    // A page that is kept nowhere says so in words.
    if (!isNamed && !(status === 503 && what === 'page')) wrong.push(`${what}: ${status} ${body.slice(0, 200)}`);
  };
  const whileRunning = async (task: () => Promise<void>) => {
    while (state.isRunning) await task();
  };
  const enquire = async () => {
    const enquiry = buildEnquiry();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(enquiry) });
    const body = await answer.text();
    if (answer.ok) emails.push(enquiry.email);
    else note('contact', answer.status, body);
  };
  const save = async () => {
    // What was not answered is sent again under its own name, as the editor does.
    saving.title ||= `Title ${saving.count + 1}`;
    saving.saveId ||= randomUUID();
    const form = { ...buildForm({ slug: 'written', title: saving.title }), save_id: saving.saveId };
    const { status, body } = await administrator.call('PUT', `/posts/${postId}`, { ...form, version: saving.version });
    if (status !== 200) return note('save', status, JSON.stringify(body));
    state.title = saving.title;
    Object.assign(saving, { count: saving.count + 1, version: body.version, title: '', saveId: '' });
  };
  const read = async () => {
    const path = [paths.blogs, paths.blog('kept'), paths.home][Math.floor(Math.random() * 3)] ?? paths.home;
    const answer = await fetch(url + path);
    const body = await answer.text();
    if (!answer.ok) note('page', answer.status, body);
  };
  const enquirers = Array.from({ length: writers - 1 }, () => whileRunning(enquire));
  const people = [...enquirers, whileRunning(save), whileRunning(read)];
  return {
    count: () => emails.length + saving.count - countBefore,
    wrong,
    stop: async () => {
      state.isRunning = false;
      await Promise.all(people);
      return { emails, title: state.title };
    },
  };
}

async function findPoolHarm(app: TestApp): Promise<string[]> {
  const pool = app.get(ConnectionPool);
  const isWhole = () => {
    const { total, idle, lent, waiting } = pool.figures();
    return lent === 0 && waiting === 0 && total === idle;
  };
  try {
    await until(isWhole);
    const em = app.get(EntityManager);
    const all = Array.from({ length: pool.figures().size * 2 }, () =>
      em.fork().transactional((e) => e.execute('select 1')),
    );
    await Promise.all(all);
    return [];
  } catch (error) {
    return [`the pool is not whole: ${JSON.stringify(pool.figures())}, ${String(error)}`];
  }
}

async function findLosses(databaseUrl: string, postId: string, { emails, title }: Acknowledged): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const stored = await client.query<{ email: string }>('select email from enquiries');
    const known = new Set(stored.rows.map((row) => row.email));
    const lost = emails.filter((email) => !known.has(email)).map((email) => `lost the enquiry of ${email}`);
    const { rows } = await client.query<{ title: string }>('select title from blog_posts where id = $1', [postId]);
    // One save more may have arrived whose answer was lost.
    const number = (text = '') => Number(text.replace('Title ', ''));
    if (title !== null && number(rows[0]?.title) < number(title)) lost.push(`lost the save of ${title}`);
    return lost;
  });
}
