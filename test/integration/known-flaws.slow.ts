import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// npm's own command, which asks the registry; this one stands for it, as flaws come and go without a commit.

type Advisories = Readonly<Record<string, readonly object[]>>;

let folder: string;
let registry: string;
let known: Advisories;
let asked: Readonly<Record<string, readonly string[]>>;

const advisoryOf = (severity: string) => [
  { id: 1, url: 'https://example.com/1', title: 'Reads too much', severity, vulnerable_versions: '<999' },
];

async function audit() {
  const child = spawn('npm', ['run', '-s', 'audit'], {
    cwd: folder,
    // npm keeps what it knows of an advisory.
    env: { ...process.env, npm_config_registry: registry, npm_config_cache: temporaryFolder() },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

beforeAll(async () => {
  folder = temporaryFolder();
  for (const path of ['package.json', 'package-lock.json']) cpSync(path, join(folder, path));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isAdvisories = request.url === '/-/npm/v1/security/advisories/bulk';
      if (!isAdvisories) return void response.writeHead(404).end('{}');
      asked = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as typeof asked;
      const found = Object.entries(known).filter(([name]) => name in asked);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(Object.fromEntries(found)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => void server.close());
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

describe('npm run audit', () => {
  it('names parts of the product with known flaws, and fails by those that are severe', async () => {
    known = { fastify: advisoryOf('critical') };
    expect(await audit()).toMatchObject({ code: 1, output: expect.stringContaining('Reads too much') });
    known = { fastify: advisoryOf('low') };
    expect((await audit()).code).toBe(0);
  });

  it('asks of what production installs, and of nothing else', async () => {
    known = {};
    expect((await audit()).code).toBe(0);
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(['@nestjs/core', 'fastify', 'sharp']));
    expect(Object.keys(asked)).not.toContain('jest');
  });
});
