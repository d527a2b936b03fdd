// Records what a release leaves behind, for tests of the upgrade from it: run once per release, with its build.
//   node test/support/record-release.mjs <release's folder> <address of an empty PostgreSQL database> <target folder>
// The release's folder holds dist/ and package.json. Needs pg_dump, of the server's major version or later. Everything
// is made by the release itself: its commands, its API, its queue.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [release, databaseUrl, target] = process.argv.slice(2);
if (!release || !databaseUrl || !target) throw new Error('Usage: record-release.mjs <release> <database> <target>');

const PASSWORD = 'correct horse 7';
const ADMINISTRATOR = 'ada@company.test';
const PERSON = 'pat@company.test';
/** Tests set the same, so that tokens of the release still hold. */
const secrets = { AUTH_JWT_SECRET: 'of-a-release-'.repeat(3), AUTH_TOKEN_SECRET: 'tokens-of-a-release-'.repeat(2) };
const dataDir = mkdtempSync(join(tmpdir(), 'record-release-'));
const environment = {
  ...process.env,
  ...secrets,
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'http://site.test',
  LOG_LEVEL: 'warn',
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
};

function runCommand(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(release, 'dist/cli.js'), ...args], {
    cwd: dataDir,
    env: environment,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

async function withServer(overrides, task) {
  const server = spawn(process.execPath, [join(release, 'dist/server.js')], {
    cwd: dataDir,
    env: { ...environment, ...overrides },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => server.on('close', done));
  try {
    const url = await new Promise((found, fail) => {
      let output = '';
      server.on('close', () => fail(new Error(`The server ended:\n${output}`)));
      server.stdout.on('data', (chunk) => {
        const [, address] = /Listening at (http:\S+)/.exec((output += chunk)) ?? [];
        if (address) found(address);
      });
    });
    return await task(url);
  } finally {
    server.kill();
    await ended;
  }
}

async function ask(url, { method = 'POST', token, body, expected = [200, 201] } = {}) {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!expected.includes(answer.status)) throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function until(condition) {
  const limit = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`It never came: ${condition}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const signIn = (url, email) => ask(`${url}/auth/v1/token?grant_type=password`, { body: { email, password: PASSWORD } });

async function write(url) {
  const { access_token: token } = await signIn(url, ADMINISTRATOR);
  const form = new FormData();
  const picture = readFileSync(join(root, 'test/fixtures/markdown/good/sub/blue.png'));
  form.append('file', new Blob([picture], { type: 'image/png' }), 'blue.png');
  const image = await ask(`${url}/api/uploads`, { token, body: form });
  const posts = `${url}/api/admin/posts`;
  const fields = (slug, more = {}) => ({
    title: `The ${slug} post`,
    slug,
    excerpt: '',
    content: `<p>The text of the ${slug} post.</p>`,
    author: 'Ada',
    category: 'Security',
    tags: 'Passwords, Email',
    image_url: '',
    image_alt: null,
    published_date: null,
    ...more,
  });
  const create = (slug, more) => ask(posts, { token, body: fields(slug, more) });
  const put = (id, path, body) => ask(`${posts}/${id}${path}`, { method: 'PUT', token, body });

  const shown = await create('former', { is_published: true, image_url: image.url, image_alt: 'Blue' });
  const renamed = await put(shown.id, '', { ...fields('renamed', { image_url: image.url }), version: shown.version });
  await put(renamed.id, '/working-copy', {
    version: renamed.version,
    is_published: true,
    fields: fields('renamed', { title: 'Edits that wait' }),
  });
  await create('draft');
  const planned = await create('planned');
  await put(planned.id, '/schedule', { version: planned.version, publish_at: '2099-01-01T12:00:00Z' });
  const trashed = await create('trashed');
  await ask(`${posts}/${trashed.id}?version=${trashed.version}`, { method: 'DELETE', token });
  return { image: image.url };
}

async function live(url) {
  const written = await write(url);
  const { refresh_token: refreshToken } = await signIn(url, PERSON);
  // Somebody who has not confirmed yet, and somebody in the middle of a sign-in by mail.
  await ask(`${url}/auth/v1/signup`, { body: { email: 'new@company.test', password: PASSWORD } });
  await ask(`${url}/auth/v1/recover`, {
    body: { email: PERSON, code_challenge: 'c'.repeat(43), code_challenge_method: 's256' },
  });
  await ask(`${url}/api/contact`, {
    body: { name: 'Dee Livered', email: 'dee@client.test', message: 'This one was delivered.' },
  });
  const { access_token: token } = await signIn(url, ADMINISTRATOR);
  await until(async () => {
    const { items } = await ask(`${url}/api/admin/enquiries`, { method: 'GET', token });
    return items.every(({ delivery }) => delivery === 'sent');
  });
  return { ...written, refreshToken };
}

async function leaveWaiting(url) {
  await ask(`${url}/api/contact`, {
    body: { name: 'Will Wait', email: 'will@client.test', message: 'This one waits for a mail server.' },
  });
}

/** Plain statements, without the commands of psql. */
function dump() {
  const args = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=1', `--dbname=${databaseUrl}`];
  const { status, stdout, stderr } = spawnSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return stdout.replace(/^\\(?:un)?restrict .*\n/gm, '');
}

try {
  runCommand(['db', 'migrate']);
  runCommand(['users', 'create', ADMINISTRATOR, '--admin'], `${PASSWORD}\n`);
  runCommand(['users', 'create', PERSON], `${PASSWORD}\n`);
  runCommand(['posts', 'import', join(root, 'test/fixtures/markdown/good'), '--publish']);
  const redirects = join(dataDir, 'redirects.csv');
  writeFileSync(redirects, 'path,target\n/old-address,/contact\n');
  runCommand(['redirects', 'import', redirects]);
  const facts = await withServer({ MAIL_CAPTURE: 'true' }, live);
  await withServer({ SMTP_URL: 'smtp://127.0.0.1:1' }, leaveWaiting);

  const { version } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'));
  const folder = join(resolve(target), version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'database.sql'), dump());
  if (existsSync(join(dataDir, 'media'))) cpSync(join(dataDir, 'media'), join(folder, 'media'), { recursive: true });
  const people = { administrator: ADMINISTRATOR, person: PERSON, password: PASSWORD };
  writeFileSync(
    join(folder, 'release.json'),
    `${JSON.stringify({ version, environment: secrets, ...people, ...facts }, null, 2)}\n`,
  );
  process.stdout.write(`Recorded ${folder}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
