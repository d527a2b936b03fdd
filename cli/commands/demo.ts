import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadDemoConfig } from '../../src/config/demo.js';
import { ImportService } from '../../src/import/import.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { ensureDemoAdmin, type DemoAdmin } from '../demo/demo-admin.js';
import { copySamplePosts } from '../demo/sample-posts.js';
import { serveUntilSignal, type Serving } from '../../src/server/serve.js';
import { SiteService } from '../../src/site/site.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { guide } from '../guide.js';

/** Fills an empty blog, and leaves one alone that has posts. */
async function addSampleContent({ app }: Serving): Promise<void> {
  const posts = await app.get(PostsService, { strict: false }).listAllIncludingDrafts(OPERATOR);
  if (posts.length > 0) return;
  process.stdout.write('Adding sample posts ...\n');
  const importer = app.get(ImportService, { strict: false });
  const folder = await mkdtemp(join(tmpdir(), 'sample-posts-'));
  try {
    await copySamplePosts(folder, new Date());
    for await (const { file, reasons } of importer.importPosts(OPERATOR, folder, {
      source: 'demo',
      isPublishing: true,
    })) {
      if (reasons.length > 0) throw new Error(`${file}: ${reasons.join('; ')}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function handleDemo(): Promise<void> {
  const config = loadDemoConfig();
  const serving = await serveUntilSignal(config);
  await addSampleContent(serving);
  const admin = await ensureDemoAdmin(serving.app, config.dataDir);
  const { publicUrl } = config.server;
  const mails = config.mail.transport.kind === 'capture' ? `${publicUrl}/dev/mail` : 'are sent';
  process.stdout.write(`
  ${serving.app.get(SiteService, { strict: false }).current.name} is running.

  The website        ${publicUrl}
  The blog           ${publicUrl}/blogs
  The API            ${publicUrl}/api/docs
  Administrator      ${describeSignIn(admin, publicUrl)}
  Its mails          ${mails}
  Everything it keeps is in ${config.dataDir}

  Press Ctrl+C to stop.
`);
}

function describeSignIn(admin: DemoAdmin | null, publicUrl: string): string {
  if (admin === null) return 'see: npm run cli -- roles list';
  const { email, password } = admin;
  const secret = password ?? `the password that was set (another one: npm run cli -- users reset-password ${email})`;
  return `${publicUrl}/auth with ${email} and ${secret}`;
}

/** `demo`: the whole product on this machine. */
export function registerDemoCommand(program: Command): void {
  guide(
    program
      .command('demo')
      .description('run the whole product on this machine, with a database of its own and sample content')
      .action(handleDemo),
    {
      remarks: 'Takes PORT and DATA_DIR of the shell. Ctrl+C ends it; started again, everything is still there.',
      examples: [['', 'the website at http://localhost:3000']],
    },
  );
}
