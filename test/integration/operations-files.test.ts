import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { env, pid } from 'node:process';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadGeneratedSecrets } from '../../src/auth/keys/generated-secrets.js';
import { SigningKeysService } from '../../src/auth/keys/signing-keys.service.js';
import { loadConfig } from '../../src/config/config.js';
import { environmentSchema } from '../../src/config/environment.js';
import { SHUTDOWN_DELAY_MAX_SECONDS, SHUTDOWN_MS } from '../../src/config/time-limits.js';
import { environmentOf, interpolate, type ComposeFile } from '../support/compose-file.js';
import { cloneDatabase } from '../support/database.js';
import { withClient } from '../support/installation.js';
import { readPage } from '../support/operations-page.js';
import { parseCommand } from '../support/parse-command.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { UnitFile } from '../support/unit-file.js';

const FOLDER = 'docs/operations';
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const page = readPage('docs/operations.md');
const blockBelow = (heading: string, word: string) =>
  page.blocks.find((block) => block.heading === heading && block.text.includes(word))?.text ?? '';

/** The settings of the page for one machine, as the server reads them. */
const settings = () => parseEnv(read('site.env'));

describe('site.env', () => {
  it('is accepted in production, behind a proxy on the same machine', () => {
    const config = loadConfig({ ...settings(), PORT: '3001' });
    expect(config).toMatchObject({ mode: 'production', dataDir: '/var/lib/site', warnings: [] });
    expect(config.server).toMatchObject({ host: '127.0.0.1', trustedProxies: ['loopback'], shutdownDelayMs: 5000 });
    expect(Number(settings()['SHUTDOWN_DELAY'])).toBeLessThanOrEqual(SHUTDOWN_DELAY_MAX_SECONDS);
  });

  it('is accepted with what the page changes for several machines, and for a pooler', () => {
    const folder = temporaryFolder();
    const generated = loadConfig({ ...settings(), DATA_DIR: folder });
    const { current } = new SigningKeysService(generated);
    // What the page prints, but for what only root can do.
    const commands = blockBelow('Several machines', '--print').replaceAll(/^(?:install|chgrp|cd) .*$/gm, '');
    const script = commands.replaceAll('/var/lib/site', folder).replaceAll('/etc/site', folder);
    expect(spawnSync('sh', ['-ec', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const changed = parseEnv(blockBelow('Several machines', 'S3_BUCKET').replaceAll('/etc/site', folder));
    // What the page has taken out; with one of these the configuration is refused.
    const gone = [...readFileSync('docs/operations.md', 'utf8').matchAll(/`(\w+)=generated`/g)].map(([, name]) => name);
    const kept = Object.fromEntries(Object.entries(settings()).filter(([name]) => !gone.includes(name)));
    const config = loadConfig({ ...kept, ...changed });
    expect(new SigningKeysService(config).current.kid).toBe(current.kid);
    expect(config.auth.tokenSecret).toBe(loadGeneratedSecrets(folder).tokenSecret);
    expect(config.storage).toMatchObject({ driver: 's3', endpoint: 'https://s3.example.com', bucket: 'site-images' });
    const pooled = loadConfig({ ...kept, ...changed, ...parseEnv(blockBelow('Connections', 'DATABASE_DIRECT_URL')) });
    expect(pooled.database).toMatchObject({
      url: expect.stringContaining(':6432/'),
      directUrl: expect.stringContaining(':5432/'),
    });
  });
});

describe('site@.service', () => {
  const unit = new UnitFile(join(FOLDER, 'site@.service'));
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('starts what npm start starts', () => {
    expect(scripts['start']).toBe('exec sh cli/tools/start.sh');
    expect(unit.get('Service.ExecStart')).toBe('/bin/sh /srv/site/current/cli/tools/start.sh');
    expect(unit.environment).toMatchObject({ NODE_ENV: 'production', PORT: '%i' });
  });

  it('sets variables that somebody reads, to values that they take, for both processes', () => {
    const own = Object.entries(unit.environment).filter(([name]) => name in environmentSchema.shape);
    expect(own.map(([name]) => name)).toEqual(['NODE_ENV', 'PORT']);
    for (const port of ['3001', '3002']) {
      const given = Object.fromEntries(own.map(([name, value]) => [name, value.replace('%i', port)]));
      expect(loadConfig({ ...settings(), ...given }).server).toMatchObject({ host: '127.0.0.1', port: Number(port) });
    }
  });

  it('gives the process the time that it needs to end, and starts it again whatever it ended with', () => {
    expect(Number(unit.get('Service.TimeoutStopSec')) * 1000).toBeGreaterThan(SHUTDOWN_MS);
    expect(unit.get('Service.KillSignal')).toBe('SIGTERM');
    // Workers and an embedded database are ended by the process itself.
    expect(unit.get('Service.KillMode')).toBe('mixed');
    expect(unit.get('Service.Restart')).toBe('always');
    expect(unit.get('Unit.StartLimitIntervalSec')).toBe('0');
    const [, ask = '', wait = ''] = unit.all('Service.ExecStartPost');
    const [, retries = ''] = /--retry (\d+)/.exec(ask) ?? [];
    const [, seconds = ''] = /sleep (\d+)$/.exec(wait) ?? [];
    // What a database that recovers may take, besides.
    const needed = 3600 + Number(retries) + Number(seconds);
    expect(Number(unit.get('Service.TimeoutStartSec'))).toBeGreaterThan(needed);
  });

  it('waits for the port as long as the process lives, and no longer', async () => {
    const [, command = ''] = /^\/bin\/sh -c '(.*)'$/.exec(unit.all('Service.ExecStartPost')[0] ?? '') ?? [];
    const run = (port: number, process: number | undefined) => {
      const script = command.replaceAll('%i', String(port));
      const child = spawn('sh', ['-c', script], { env: { ...env, MAINPID: String(process) }, stdio: 'ignore' });
      return new Promise<number | null>((resolveCode) => child.once('exit', resolveCode));
    };
    const server = createServer((_request, response) => response.writeHead(503).end());
    const port = await new Promise<number>((resolvePort) => {
      server.listen(0, '127.0.0.1', () => resolvePort((server.address() as AddressInfo).port));
    });
    expect(await run(port, pid)).toBe(0);
    await new Promise((done) => server.close(done));
    const gone = spawnSync('true').pid;
    expect(await run(port, gone)).toBe(1);
    const waiting = run(port, pid);
    // It has been refused by then: the process that is gone took as long.
    expect(await run(port, gone)).toBe(1);
    server.listen(port, '127.0.0.1');
    expect(await waiting).toBe(0);
    await new Promise((done) => server.close(done));
  });

  it('runs as an ordinary user that may write to its data folder only', () => {
    expect(unit.get('Service.User')).toBe('site');
    expect(`/var/lib/${unit.get('Service.StateDirectory')}`).toBe(settings()['DATA_DIR']);
    for (const name of ['ProtectHome', 'PrivateTmp', 'PrivateDevices', 'NoNewPrivileges', 'RestrictNamespaces']) {
      expect([name, unit.get(`Service.${name}`)]).toEqual([name, 'yes']);
    }
    expect(unit.get('Service.ProtectSystem')).toBe('strict');
    // Node compiles code while it runs.
    expect(unit.get('Service.MemoryDenyWriteExecute')).toBeUndefined();
  });
});

describe('the units', () => {
  it('make a backup and remove old ones, in the folder where backups are', async () => {
    const unit = new UnitFile(join(FOLDER, 'site-backup.service'));
    const [program, ...words] = (unit.get('Service.ExecStart') ?? '').split(/ (?=dist\/cli\.js)|(?<=dist\/cli\.js) /);
    expect([program, words[0]]).toEqual(['/srv/site/current/node_modules/.bin/node', 'dist/cli.js']);
    await expect(parseCommand(words[1] ?? '')).resolves.toBe('backup create');
    // A backup that lacks images ends with an error: what comes after a success only would never be called then.
    expect(unit.get('Service.ExecStartPost')).toBeUndefined();
    const [cleaner, cleanup = ''] = (unit.get('Service.ExecStopPost') ?? '').split(/ dist\/cli\.js /);
    expect(cleaner).toBe(program);
    await expect(parseCommand(cleanup)).resolves.toBe('backup prune');
    // By itself systemd ends it after 90, night after night, until the disk is full.
    expect(Number(unit.get('Service.TimeoutStopSec'))).toBeGreaterThanOrEqual(600);
    expect(new UnitFile(join(FOLDER, 'site-backup.timer')).get('Timer.OnCalendar')).toBe('*-*-* 03:00');
  });

  it('are taken by systemd where there is one', () => {
    const root = temporaryFolder();
    const units = join(root, 'units');
    mkdirSync(units);
    // The site is not installed where tests run.
    for (const name of ['site@.service', 'site-backup.service', 'site-backup.timer']) {
      writeFileSync(
        join(units, name),
        read(name).replaceAll('/srv/site/current/node_modules', resolve('node_modules')),
      );
    }
    const files = ['site@.service', 'site-backup.timer', 'site-backup.service'].map((name) => join(units, name));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    const complaints = error
      ? ''
      : stderr
          .split('\n')
          .filter((line) => /site[@-]/.test(line))
          .join('\n');
    expect({ status: error ? 0 : status, complaints }).toEqual({ status: 0, complaints: '' });
  });

  it('read the same settings as the command site, which runs as the same user in the same folder', () => {
    const script = read('site');
    for (const name of ['site@.service', 'site-backup.service']) {
      const unit = new UnitFile(join(FOLDER, name));
      expect(script).toContain(`cd ${unit.get('Service.WorkingDirectory')} && `);
      expect(script).toContain(`--user ${unit.get('Service.User')} -- `);
      // Those that Node reads itself are not in the file of settings.
      const file = unit.get('Service.EnvironmentFile') ?? '';
      expect(file).toMatch(/^-\/etc\/site\/\w/);
      expect(script).toContain(` . ${file.slice(1)}\n`);
      expect(page.text).toContain(`\`${file.slice(1)}\``);
    }
  });
});

describe('the command site', () => {
  itSlow('runs a command in the folder of the version that runs, with its settings', () => {
    const folder = temporaryFolder();
    // Everything that reaches the version that runs goes through the link.
    symlinkSync(resolve('.'), join(folder, 'current'));
    const script = join(folder, 'site');
    const text = read('site').replace('/srv/site', folder).replace('runuser --user site -- ', '');
    writeFileSync(script, text, { mode: 0o755 });
    const { status, stdout } = spawnSync(script, ['config', 'example'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: readFileSync('.env.example', 'utf8') });
  });

  it('gives Node what it reads from its environment alone, such as the authority of certificates', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'current'));
    writeFileSync(join(folder, 'node.env'), '# Ours.\nNODE_EXTRA_CA_CERTS=/etc/site/authority.pem\n');
    const shown = read('site')
      .replace('/srv/site', folder)
      .replace(/runuser .*/, 'printenv NODE_EXTRA_CA_CERTS');
    const { stdout } = spawnSync('sh', ['-c', shown.replaceAll('/etc/site/node.env', join(folder, 'node.env'))], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('/etc/site/authority.pem\n');
  });
});

describe('compose.production.yml', () => {
  const base = parse(readFileSync('docker-compose.yml', 'utf8')) as ComposeFile;
  const production = parse(read('compose.production.yml')) as ComposeFile;
  const shell = parseEnv(blockBelow('With compose', 'COMPOSE_FILE'));

  it('is read together with docker-compose.yml, as .env of the page says', () => {
    const named = (shell['COMPOSE_FILE'] ?? '').split(':');
    expect(named).toEqual(['docker-compose.yml', join(FOLDER, 'compose.production.yml')]);
  });

  it('changes services that are there, and adds a proxy with volumes that it declares', () => {
    const added = Object.keys(production.services).filter((name) => !(name in base.services));
    expect(added).toEqual(['proxy']);
    const volumes = production.services['proxy']?.volumes?.map((volume) => volume.split(':')[0] ?? '') ?? [];
    const files = volumes.filter((volume) => volume.startsWith('./'));
    // Compose reads a path from the folder of the first file.
    expect(files).toEqual([`./${join(FOLDER, 'compose.Caddyfile')}`]);
    expect(volumes.filter((volume) => !files.includes(volume))).toEqual(Object.keys(production.volumes));
  });

  it('gives the product an environment that production accepts', () => {
    const environment = {
      ...environmentOf(base.services['app'] ?? {}, shell),
      ...environmentOf(production.services['app'] ?? {}, shell),
    };
    const config = loadConfig(environment);
    expect(config.server).toMatchObject({ publicUrl: 'https://www.example.com', trustedProxies: ['uniquelocal'] });
    expect(config.database.url).toBe('postgresql://site:CHOOSE_ONE@database:5432/site');
    expect(config.mail.transport).toMatchObject({ kind: 'smtp' });
  });

  it.each(['PUBLIC_URL', 'SMTP_URL', 'POSTGRES_PASSWORD', 'MINIO_ROOT_PASSWORD'])('demands %s', (name) => {
    const { [name]: _left, ...rest } = shell;
    const resolveAll = () => interpolate(read('compose.production.yml'), rest);
    expect(resolveAll).toThrow(`${name}: Set ${name}`);
  });

  it('keeps the mail catcher out, and lets nobody past the proxy', () => {
    expect(production.services['mail']?.profiles).toEqual(['trial']);
    expect(base.services['app']?.ports).toEqual(['127.0.0.1:${PORT:-3000}:3000']);
    const given = environmentOf(production.services['proxy'] ?? {}, shell);
    const served = read('compose.Caddyfile').replace(/\{\$(\w+)\}/g, (_whole, name: string) => given[name] ?? '');
    expect(served.replace(/^\s*#.*\n/gm, '')).toBe(`${shell['PUBLIC_URL']} {\n\treverse_proxy app:3000 {\n\t}\n}\n`);
  });

  it('lets no log grow for ever', () => {
    const silent = ['app', 'database', 'images', 'proxy'].filter((name) => !production.services[name]?.logging);
    expect(silent).toEqual([]);
  });
});

describe('logs on another machine', () => {
  it('come from every container that production keeps logs of, over TLS, and need an address', () => {
    const text = read('compose.logs.yml');
    const { services } = parse(interpolate(text, { LOGS_ADDRESS: 'tcp+tls://logs.example.com:6514' })) as ComposeFile;
    const kept = (parse(read('compose.production.yml')) as ComposeFile).services;
    const logged = Object.keys(kept).filter((name) => kept[name]?.logging);
    expect(Object.keys(services).sort()).toEqual(logged.sort());
    for (const { logging } of Object.values(services)) {
      expect(logging).toMatchObject({
        driver: 'syslog',
        // Else a machine that takes no lines holds up whatever writes them.
        options: { 'syslog-address': 'tcp+tls://logs.example.com:6514', mode: 'non-blocking' },
      });
    }
    expect(() => interpolate(text, {})).toThrow('tcp+tls://');
  });

  it('come from the journal, over TLS with certificates of both', () => {
    const upload = new UnitFile(join(FOLDER, 'journal-upload.conf'));
    expect(upload.get('Upload.URL')).toMatch(/^https:/);
    for (const key of ['ServerKeyFile', 'ServerCertificateFile', 'TrustedCertificateFile']) {
      expect(upload.get(`Upload.${key}`)).toMatch(/^\/etc\/ssl\//);
    }
  });
});

describe('the proxies', () => {
  it.each(['Caddyfile', 'haproxy.cfg', 'nginx.conf'])('of %s send visitors to both units of the page', (name) => {
    const ports = [...blockBelow('4. Two processes', 'systemctl enable').matchAll(/site@(\d+)/g)].map(
      ([, port]) => port,
    );
    expect(ports).toEqual(['3001', '3002']);
    const directives = read(name).replace(/^\s*(?:#|bind ).*$/gm, '');
    const upstreams = [...directives.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
    expect(upstreams).toEqual(ports);
  });

  it.each([
    ['Caddyfile', /health_interval (\d+)s/],
    ['haproxy.cfg', /check inter (\d+)s/],
  ])(
    'of %s have asked twice before the unit lets the next restart begin, and three times before a process goes',
    (name, interval) => {
      const [, seconds = ''] = interval.exec(read(name)) ?? [];
      const [, pause = ''] =
        /sleep (\d+)$/.exec(new UnitFile(join(FOLDER, 'site@.service')).get('Service.ExecStartPost') ?? '') ?? [];
      expect(Number(pause)).toBeGreaterThan(2 * Number(seconds));
      expect(Number(settings()['SHUTDOWN_DELAY'])).toBeGreaterThan(3 * Number(seconds));
    },
  );

  it('of haproxy.cfg tell who is in, at the address that the page asks', () => {
    const [, address, path] = /http:\/\/(127\.0\.0\.1:8404)(\/\d+)/.exec(blockBelow('A proxy in front', 'curl')) ?? [];
    const [, rest = ''] = read('haproxy.cfg').split(`bind ${address}\n`);
    const told = [...rest.matchAll(/path (\/\d+) \} \{ srv_is_up\(processes\/(\w+)\)/g)].map(([, asked, server]) => [
      asked,
      server,
    ]);
    const servers = [...rest.matchAll(/server (\w+) 127\.0\.0\.1:(\d+)/g)].map(([, server, port]) => [
      `/${port}`,
      server,
    ]);
    expect(told).toEqual(servers);
    expect(told.map(([asked]) => asked)).toContain(path);
  });

  it.each([
    ['Caddyfile', 'health_uri /api/health/ready'],
    ['haproxy.cfg', 'uri /api/health/ready'],
  ])('of %s ask who is ready', (name, question) => {
    expect(read(name)).toContain(question);
  });

  it.each([
    ['haproxy.cfg', 'option forwardfor'],
    ['nginx.conf', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
  ])('of %s forward the address of the visitor', (name, setting) => {
    expect(read(name)).toContain(setting);
  });

  it.each(['Caddyfile', 'compose.Caddyfile'])('of %s says where the networks of a CDN are named', (name) => {
    expect(read(name)).toMatch(/reverse_proxy [^{]*\{[^}]*# trusted_proxies /);
  });
});

describe('the files of PostgreSQL and its pooler', () => {
  it.each(['archive.conf', 'recovery.conf'])(
    '%s: sets what PostgreSQL knows, to values that it takes',
    async (name) => {
      const lines = read(name).matchAll(/^(\w+) = (?:'(.*)'|(\S+))$/gm);
      const settings = [...lines].map(([, setting = '', quoted, plain]) => ({ setting, value: quoted ?? plain ?? '' }));
      expect(settings).toHaveLength(3);
      await withClient(await cloneDatabase(), async (client) => {
        for (const { setting, value } of settings) {
          const { rows } = await client.query<{ vartype: string; enumvals: string[] | null; max_val: string | null }>(
            'select vartype, enumvals, max_val from pg_settings where name = $1',
            [setting],
          );
          const [known] = rows;
          expect([setting, known?.vartype]).toEqual([setting, expect.any(String)]);
          if (known?.enumvals) expect(known.enumvals).toContain(value);
          if (known?.vartype === 'integer') expect(Number(value)).toBeLessThanOrEqual(Number(known.max_val));
          if (setting === 'recovery_target_time') await client.query('select $1::timestamptz', [value]);
        }
      });
    },
  );

  it('reads back from where it put them', () => {
    const [, archive] = /cp %p (\S+)\/%f'/.exec(read('archive.conf')) ?? [];
    const [, source] = /cp (\S+)\/%f %p'/.exec(read('recovery.conf')) ?? [];
    expect([archive, source]).toEqual(['/var/backups/postgresql/wal', archive]);
    expect(blockBelow('Point-in-time recovery', 'install --directory')).toContain(` ${archive}\n`);
  });

  it('pools transactions, at the address that the page sets', () => {
    const pooler = read('pgbouncer.ini');
    expect(pooler).toMatch(/^pool_mode = transaction$/m);
    const [, host] = /^listen_addr = (.*)$/m.exec(pooler) ?? [];
    const [, port] = /^listen_port = (.*)$/m.exec(pooler) ?? [];
    expect(blockBelow('Connections', 'DATABASE_DIRECT_URL')).toContain(`@${host}:${port}/site\n`);
  });

  it('rotates the log of the embedded database, which is kept open', () => {
    const rotation = read('logrotate.conf');
    expect(rotation).toContain(`${settings()['DATA_DIR']}/postgres/postgres.log {`);
    expect(rotation).toMatch(/^ +copytruncate$/m);
  });
});
