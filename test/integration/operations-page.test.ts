import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/config.js';
import { environmentSchema } from '../../src/config/environment.js';
import { fileVariableOf, secretVariables } from '../../src/config/secret-files.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { anchorOf, findCommands, readPage } from '../support/operations-page.js';
import { parseCommand } from '../support/parse-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FILE = 'docs/operations.md';
const FOLDER = 'docs/operations';
const page = readPage(FILE);
const readme = readPage('README.md');
const files = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
const shellBlocks = page.blocks.filter(({ language }) => language === 'sh');

/** Those of other programs: Compose, PostgreSQL's and MinIO's containers, what the reader sets; Node. */
const OTHERS = new Set([
  ...['COMPOSE_FILE', 'LOGS_ADDRESS', 'POSTGRES_PASSWORD', 'MINIO_ROOT_PASSWORD'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
]);
const variables = new Set([...Object.keys(environmentSchema.shape), ...secretVariables.map(fileVariableOf), ...OTHERS]);
/** Settings of systemd and placeholders for what the reader puts in their place. */
const NO_VARIABLES = /^(?:AF_[A-Z0-9]+|CHOOSE_(?:ONE|ANOTHER))$/;

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  await createPosts(app, [{ slug: 'kept' }]);
});

describe.each([
  [FILE, page],
  ['README.md', readme],
] as const)('%s', (file, { links, headings }) => {
  it('links to files and headings that exist', () => {
    const local = links.filter((link) => !/^https?:/.test(link));
    const lost = local.filter((link) => {
      const [path = '', anchor] = link.split('#');
      if (path !== '' && !existsSync(join(dirname(file), path))) return true;
      if (anchor === undefined) return false;
      const target = path === '' ? headings : readPage(join(dirname(file), path)).headings;
      return !target.some((heading) => anchorOf(heading) === anchor);
    });
    expect(lost).toEqual([]);
  });
});

describe('the page on operations', () => {
  it('is led to by the README, and leads to every file of its folder', () => {
    expect(readme.links).toContain(FILE);
    const unnamed = files.map(([name]) => name).filter((name) => !page.text.includes(name));
    expect(unnamed).toEqual([]);
  });

  it.each(shellBlocks)('has commands that a shell understands: $heading', ({ text }) => {
    expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('calls commands of ours as they are', async () => {
    const commands = [...shellBlocks.map(({ text }) => text), ...page.pieces].flatMap(findCommands);
    expect(commands.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const words of new Set(commands)) await parseCommand(words).catch(() => wrong.push(words));
    expect(wrong).toEqual([]);
  });

  it('notices a command that is not there', async () => {
    expect(findCommands('cd /srv && site backup create\nsite doctor --json > x')).toEqual([
      'backup create',
      'doctor --json > x',
    ]);
    await expect(parseCommand('backup creat')).rejects.toThrow('unknown command');
    await expect(parseCommand('doctor --jsn')).rejects.toThrow('unknown option');
    await expect(parseCommand('doctor --json > file')).resolves.toBe('doctor');
  });

  it.each([
    ['git clone', ['site backup', 'git clone', 'site doctor']],
    ['npm run', ['site backup', 'git clone', 'npm run', 'site doctor']],
    ['site db', ['site backup', 'git clone', 'npm run', 'ln --symbolic', 'ln --symbolic', 'site db', 'site doctor']],
  ])('goes on with no upgrade of which a step has failed: %s', (failing, expected) => {
    const folder = temporaryFolder();
    const calls = join(folder, 'calls');
    // Each notes its first two words, and one fails; where Git does not, there is a folder.
    const program = [
      '#!/bin/sh',
      'call="${0##*/} $1"',
      'echo "$call" >> "$CALLS"',
      '[ "$call" != "$FAILING" ] || exit 1',
      '[ "$call" != "git clone" ] || mkdir "$3"',
    ].join('\n');
    for (const name of ['site', 'git', 'npm', 'ln', 'systemctl']) {
      writeFileSync(join(folder, name), `${program}\n`, { mode: 0o755 });
    }
    const [block] = shellBlocks.filter(({ heading }) => heading === 'Upgrade');
    // As somebody does who pastes the whole of it.
    spawnSync('sh', {
      input: block?.text.replaceAll('/srv/site', folder) ?? '',
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}`, CALLS: calls, FAILING: failing, REPOSITORY: 'ours' },
    });
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual(expected);
  });

  it('keeps the drill of the year away from all that production uses', () => {
    const settings = page.blocks.filter(
      ({ heading, text }) => heading === 'The drill' && text.startsWith('PUBLIC_URL'),
    );
    expect(settings).toHaveLength(1);
    const read = (text: string) =>
      Object.fromEntries([...text.matchAll(/^([A-Z]\w*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
    const copy = read(readFileSync(join(FOLDER, 'site.env'), 'utf8'));
    const shared = page.blocks.find(
      ({ heading, text }) => heading === 'Several machines' && text.includes('S3_BUCKET'),
    );
    const named = Object.keys({ ...copy, ...read(shared?.text ?? '') });
    const told = ['NOTIFY_WEBHOOK_URL', 'NOTIFY_WEBHOOK_SECRET', 'INDEXNOW_KEY', 'DATABASE_DIRECT_URL'];
    const own = read(settings[0]?.text ?? '');
    // What leads anywhere is said anew, or named among what is taken out.
    const outside = [...named, ...told].filter((name) =>
      /^(?:HOST$|(?:PUBLIC|DATABASE|SMTP|S3|NOTIFY|INDEXNOW|STORAGE)_)/.test(name),
    );
    const [, removed = ''] = /## The drill\n[^]*?Take these out: ([^.]*)\./.exec(page.text) ?? [];
    expect(outside.filter((name) => !(name in own) && !removed.includes(name.replace(/^S3_.*/, 'S3_')))).toEqual([]);
    const { database, storage, mail, server } = loadConfig({
      ...Object.fromEntries(Object.entries(copy).filter(([name]) => !removed.includes(name))),
      ...own,
    });
    expect([database.url, storage.driver, mail.transport.kind]).toEqual(['embedded', 'folder', 'capture']);
    // Captured mails are shown to whoever reaches the port.
    expect(server.host).toBe('127.0.0.1');
  });

  it.each([
    ['a week after a good one', ['base', 'base.before'], false, { base: 'new', 'base.before': 'base' }],
    ['a week after one that failed', ['base.before'], false, { base: 'new', 'base.before': 'base.before' }],
    ['and fails', ['base', 'base.before'], true, { 'base.before': 'base' }],
    ['and fails for the second time', ['base.before'], true, { 'base.before': 'base.before' }],
  ])('always has a base to go back to, whose copy is made %s', (_name, there, isFailing, expected) => {
    const folder = temporaryFolder();
    for (const name of there) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'made'), name);
    }
    const program = [
      '#!/bin/sh',
      'case "$*" in *pg_basebackup*) [ -z "$FAILING" ] || exit 1; mkdir "$BASE/base"; printf new > "$BASE/base/made";; esac',
    ].join('\n');
    writeFileSync(join(folder, 'runuser'), `${program}\n`, { mode: 0o755 });
    const block = shellBlocks.find(({ text }) => text.includes('pg_basebackup'));
    spawnSync('sh', {
      input: block?.text.replaceAll('/var/backups/postgresql', folder) ?? '',
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}`, BASE: folder, FAILING: isFailing ? 'yes' : '' },
    });
    const found = ['base', 'base.before'].filter((name) => existsSync(join(folder, name)));
    const made = found.map((name) => [name, readFileSync(join(folder, name, 'made'), 'utf8')]);
    expect(Object.fromEntries(made)).toEqual(expected);
  });

  it('calls scripts of npm that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const called = [...page.text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(called).toContain('build');
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each([[FILE, page.text] as const, ...files])('names variables that somebody reads: %s', (_name, text) => {
    const named = text.match(/(?<![\w%$-])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [];
    const unknown = named.filter((name) => !variables.has(name) && !NO_VARIABLES.test(name));
    expect(unknown).toEqual([]);
  });

  it('names files of the repository and of the installation where they are', () => {
    const printed = shellBlocks.flatMap(({ text }) => text.match(/(?<=^|[ /])docs\/operations\/[\w.@-]+/gm) ?? []);
    expect(printed.length).toBeGreaterThan(5);
    expect(printed.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('says of every check of the doctor what it means, and of no other', async () => {
    const findings = await new DoctorService(examineConfig(app.environment)).examine();
    expect(page.tableUnder('doctor').map(([check]) => check)).toEqual([...new Set(findings.map(({ check }) => check))]);
  });

  it('says of every field of /api/health/details what it means, and of no other', async () => {
    const { statusCode, body } = await app.inject('/api/health/details');
    expect(statusCode).toBe(200);
    const named = page.tableUnder('Health').map(([name = '']) => name);
    const answered = fieldsOf(JSON.parse(body) as object);
    expect(answered.filter((field) => !named.includes(field))).toEqual([]);
    const schema = (await app.inject('/api/openapi.json')).body;
    const fields = named.filter((name) => !name.startsWith('/')).flatMap((name) => name.split('.'));
    expect(fields.filter((field) => !schema.includes(`"${field}":`))).toEqual([]);
  });

  it('sends monitors and balancers to addresses that answer', async () => {
    const addresses = [page.text, ...files.map(([, text]) => text)].flatMap(
      (text) => text.match(/\/api\/health(?:\/\w+)?/g) ?? [],
    );
    for (const address of new Set(addresses)) expect((await app.inject(address)).statusCode).toBe(200);
  });

  it('names codes that are answered', () => {
    const sources = [
      'src/http/outage.errors.ts',
      'src/pages/readiness.controller.ts',
      'src/uploads/upload.errors.ts',
    ].map((file) => readFileSync(file, 'utf8'));
    const codes = [...page.text.matchAll(/50[37] `(\w+)`/g)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.filter((code) => !sources.some((source) => source.includes(`'${code}'`)))).toEqual([]);
  });

  it('tells of a CDN what the answers really say', async () => {
    const asset = /\/assets\/[^"]+/.exec((await app.inject('/')).body)?.[0] ?? '';
    const rows = page.tableUnder('A CDN').filter(([address]) => address !== '/media/*');
    expect(rows.length).toBeGreaterThan(5);
    for (const [address = '', said] of rows) {
      const { statusCode, headers } = await app.inject(address === '/assets/*' ? asset : address);
      expect([address, statusCode, headers['cache-control']]).toEqual([address, 200, said]);
    }
  });

  it('takes the figures for sizing from those that were measured', () => {
    const measured = readFileSync('docs/performance.md', 'utf8');
    const figures = page.tableUnder('Sizing').map(([, figure = '']) => figure);
    expect(figures.length).toBeGreaterThan(7);
    const unknown = figures.filter(
      (figure) => !measured.includes(` ${figure} `) && !measured.includes(` ${figure} MB`),
    );
    expect(unknown).toEqual([]);
  });

  it('counts the connections of a process as the doctor does', async () => {
    const findings = await new DoctorService(examineConfig({ ...app.environment, DATABASE_POOL_SIZE: '10' })).examine();
    const { message = '' } = findings.find(({ check }) => check === 'connections') ?? {};
    const each = Number(/at most (\d+)/.exec(message)?.[1]);
    // As PostgreSQL comes: a hundred, of which three are the superuser's. The one of the tests has more.
    const most = 97;
    expect(page.text).toContain(`connections = (processes + 1) × (DATABASE_POOL_SIZE + ${each - 10})`);
    const fitting = (poolSize: number) => Math.floor(most / (poolSize + each - 10)) - 1;
    expect(page.text.replace(/\s+/g, ' ')).toContain(
      `${fitting(10)} processes with the defaults, ${fitting(5)} with \`DATABASE_POOL_SIZE=5\``,
    );
  });
});

/** Names of what an answer holds, with a dot between a field and what is in it. */
function fieldsOf(body: object): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? fieldsOf(value).map((inner) => `${name}.${inner}`) : [name],
  );
}
