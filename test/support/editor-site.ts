import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fastifyStatic from '@fastify/static';
import { fastify } from 'fastify';
import { addSecurityHeaders, createSecurityHeaders } from '../../src/http/security-headers.js';
import { onCleanup } from './cleanup.js';
import { temporaryFolder } from './temporary-folder.js';

/** Serves a page with nothing but the editor, under the site's content security policy; gives its address. */
export async function serveEditorPage(): Promise<string> {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('build-editor-page.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [script, folder]);
  const assets = await readFile(join(folder, '.vite/entries.json'), 'utf8');
  const { script: main, style } = JSON.parse(assets) as { script: string; style: string };
  const server = fastify();
  const security = createSecurityHeaders({
    imageOrigin: undefined,
    isDevelopment: false,
    isHttps: false,
    inlineTexts: null,
  });
  addSecurityHeaders(server, security, '/docs');
  await server.register(fastifyStatic, { root: folder });
  server.get('/', (_request, reply) =>
    reply.type('text/html').send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Editor</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
      <link rel="stylesheet" href="/${style}"><script type="module" src="/${main}"></script></head>
      <body><div id="root"></div></body></html>`,
    ),
  );
  // The pictures that the tests name.
  server.get('/media/:name', (_request, reply) => reply.type('image/png').send(PIXEL));
  onCleanup(() => server.close());
  return await server.listen({ port: 0, host: '127.0.0.1' });
}

/** The smallest PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
