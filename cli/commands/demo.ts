import type { Command } from 'commander';
import { loadDemoConfig } from '../../src/config/demo.js';
import { serveUntilSignal } from '../../src/serve.js';

async function handleDemo(): Promise<void> {
  const config = loadDemoConfig();
  await serveUntilSignal(config);
  const { publicUrl } = config.server;
  process.stdout.write(`
  ${config.site.name} is at   ${publicUrl}
  The blog is at             ${publicUrl}/blogs
  The API is described at    ${publicUrl}/api/docs
  Data is kept in            ${config.dataDir}

  Press Ctrl+C to stop.
`);
}

/** `demo`: the whole product on this machine. */
export function registerDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run the whole product on this machine, with a database of its own and sample content')
    .action(handleDemo);
}
