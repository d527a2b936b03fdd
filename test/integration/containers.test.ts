import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.js';
import { environmentSchema } from '../../src/config/environment.js';
import { fileVariableOf, secretVariables } from '../../src/config/secret-files.js';
import { environmentOf, type ComposeFile } from '../support/compose-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// No container engine is at hand where these tests run: what can be known from the files is checked here.

const dockerfile = DockerfileParser.parse(readFileSync('Dockerfile', 'utf8'));
const instructions = dockerfile.getInstructions();
const variables = Object.keys(environmentSchema.shape);

/** The arguments of every instruction of that name, as written. */
const written = (name: string) =>
  instructions.flatMap((instruction) =>
    instruction.getKeyword() === name ? [instruction.getRawArgumentsContent() ?? ''] : [],
  );

describe('Dockerfile', () => {
  it('builds in one stage and runs in another, as an ordinary user', () => {
    expect(instructions.filter((instruction) => instruction.getKeyword() === 'FROM')).toHaveLength(2);
    expect(written('USER')).toEqual(['node']);
    const keywords = instructions.map((instruction) => instruction.getKeyword());
    expect(keywords.lastIndexOf('USER')).toBeGreaterThan(keywords.lastIndexOf('RUN'));
    expect(keywords.lastIndexOf('USER')).toBeLessThan(keywords.lastIndexOf('CMD'));
  });

  it('knows only instructions that exist, and copies only files that exist or were built', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'];
    expect(instructions.map((instruction) => instruction.getKeyword()).filter((word) => !known.includes(word))).toEqual(
      [],
    );
    const sources = dockerfile
      .getCOPYs()
      .filter((copy) => copy.getFromFlag() === null)
      .flatMap((copy) =>
        copy
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
    expect(sources.filter((source) => !existsSync(source))).toEqual([]);
  });

  it('starts the server that npm start starts, and asks it how it is', () => {
    const command = JSON.parse(written('CMD').at(-1) ?? '') as string[];
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['start']).toBe(`exec ${command.join(' ')}`);
    expect(written('COPY').join('\n')).toContain(`/app/${command.at(-1)} ./${command.at(-1)}`);
    expect(written('HEALTHCHECK').join()).toContain('/api/health/live`');
  });

  it('is not called unhealthy, which ends `docker compose up --wait`, while it migrates', () => {
    const flags = dockerfile.getHEALTHCHECKs().flatMap((check) => check.getFlags());
    expect(flags.map(String)).toContain('--start-period=1h');
  });

  it('is built of no backups: neither where operations.md has them copied, nor where it had', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const copied = [...page.matchAll(/docker compose cp app:\S+ ([^`\s]+)/g)].map(([, place]) => place);
    expect(copied).not.toEqual([]);
    expect(copied.filter((place) => !place?.startsWith('../'))).toEqual([]);
    expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain('backups');
  });

  it('has the owner of what operations.md brings into its volume', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    expect(page).toMatch(/`docker compose cp \S+ app:\/data\/`/);
    expect(page).toContain(`chown --recursive ${written('USER').at(-1)}:node ${written('VOLUME').at(-1)}\``);
  });

  it('sets variables that the configuration knows', () => {
    const set = dockerfile.getENVs().flatMap((env) => env.getProperties());
    expect(set.map((property) => property.getName()).filter((name) => !variables.includes(name))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const source = readFileSync('docker-compose.yml', 'utf8');
  const { services, volumes } = parse(source) as ComposeFile;
  const all = Object.values(services);

  it('runs the product, PostgreSQL, MinIO and a mail catcher', () => {
    const images = all.map((service) => service.image ?? `build ${service.build}`);
    expect(images.map((image) => image.split(':')[0])).toEqual([
      'build .',
      'postgres',
      'minio/minio',
      'axllent/mailpit',
    ]);
  });

  const app = services['app'] ?? {};

  it('starts the server as its image does, on a schema that is up to date', () => {
    const image = JSON.parse(written('CMD').at(-1) ?? '') as string[];
    expect(app.command?.at(-1)).toBe(`node dist/cli.js db migrate && exec ${image.join(' ')}`);
  });

  it('keeps what people wrote out of the log of PostgreSQL', () => {
    const settings = services['database']?.command?.filter((word) => word.includes('='));
    expect(settings).toEqual(['log_min_error_statement=panic', 'log_error_verbosity=terse']);
  });

  it('gives the product an environment that production accepts', () => {
    expect(loadConfig(environmentOf(app, {})).company.given).toEqual([]);
    const config = loadConfig(environmentOf(app, { SITE_EMAIL: 'desk@it.company' }));
    expect(config).toMatchObject({
      mode: 'production',
      dataDir: '/data',
      company: { values: { email: 'desk@it.company' } },
    });
    expect(config.database.url).toBe('postgresql://site:site@database:5432/site');
    expect(config.storage).toMatchObject({ driver: 's3', endpoint: 'http://images:9000', bucket: 'blog-images' });
    expect(config.mail.transport).toEqual({ kind: 'smtp', url: 'smtp://mail:1025' });
    expect(config.server).toMatchObject({ host: '0.0.0.0', port: 3000, publicUrl: 'http://localhost:3000' });
  });

  it('passes every variable on to the product, and no other', () => {
    const all = [...variables, ...secretVariables.map(fileVariableOf)];
    const shell = Object.fromEntries(all.map((name) => [name, `the shell's ${name}`]));
    const own = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'];
    const given = environmentOf(app, shell);
    expect(Object.keys(given).sort()).toEqual(all.sort());
    expect(Object.entries(given).filter(([name, value]) => value !== shell[name])).toEqual(
      own.map((name) => [name, expect.anything()]),
    );
  });

  it('takes a secret from a file where its own default is taken away', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'url'), 'postgresql://site@elsewhere/site\n');
    const shell = { SITE_EMAIL: 'desk@it.company', DATABASE_URL: '', DATABASE_URL_FILE: join(folder, 'url') };
    expect(loadConfig(environmentOf(app, shell)).database.url).toBe('postgresql://site@elsewhere/site');
  });

  it('keeps what the product keeps on disk', () => {
    expect(app.volumes).toEqual(['data:/data']);
  });

  it('lets people set only variables that somebody reads', () => {
    const read = new Set([...variables, ...all.flatMap((service) => Object.keys(service.environment ?? {}))]);
    const settable = [...source.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    expect(settable.filter((name) => !read.has(name))).toEqual([]);
  });

  it('gives a database that recovers after a power cut the time that it takes', () => {
    expect(services['database']?.healthcheck?.start_period).toBe('1h');
  });

  it('asks for the database by the network, where the one that only fills a new volume does not answer', () => {
    expect(services['database']?.healthcheck?.test).toContain('--host=127.0.0.1');
  });

  it('waits for services that exist and say when they are ready, and keeps data in volumes that exist', () => {
    for (const [name, { condition }] of Object.entries(services['app']?.depends_on ?? {})) {
      expect({ name, condition }).toEqual({ name, condition: 'service_healthy' });
      expect(services[name]?.healthcheck).toBeDefined();
    }
    const used = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
    expect(used.sort()).toEqual(Object.keys(volumes).sort());
  });
});
