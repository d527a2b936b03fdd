// The demo over its sample content, in a data folder of its own, for what looks at the finished site.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the demo as built. `output` is what it said, the administrator's password included. */
export async function startDemo() {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const port = await findFreePort();
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: folder };
  const child = spawn(process.execPath, ['dist/cli.js', 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Press Ctrl+C')) break;
  }
  child.stdout.resume();
  if (!output.includes('Press Ctrl+C')) throw new Error('The demo did not start');
  return {
    url: `http://localhost:${port}`,
    output,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
