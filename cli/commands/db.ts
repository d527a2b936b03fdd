import type { Command } from 'commander';
import { loadConfig } from '../../src/config/config.js';
import { PRODUCT_VERSION } from '../../src/config/version.js';
import { inspectSchema, listKnownMigrations, migrate } from '../../src/database/migrate.js';
import { MigrationWriter } from '../../src/database/migration-writer.js';
import { openDatabase } from '../../src/database/open-database.js';
import { assertCompatible } from '../../src/database/schema-release.js';
import type { WithContext } from '../context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { guide } from '../guide.js';

async function withDatabase(task: (url: string) => Promise<void>): Promise<void> {
  const database = await openDatabase(loadConfig());
  try {
    await task(database.directUrl);
  } finally {
    await database.close();
  }
}

async function handleMigrate(url: string): Promise<void> {
  const names = await migrate(url);
  for (const name of names) process.stdout.write(`ran ${name}\n`);
  if (names.length === 0) process.stdout.write('The database is up to date.\n');
}

async function handleStatus(url: string): Promise<void> {
  const { pending, unknown, release } = await inspectSchema(url);
  const known = await listKnownMigrations();
  const lines = [`This is version ${PRODUCT_VERSION}, which has ${known.length} migrations.`];
  if (release !== null) {
    lines.push(`The schema is of version ${release.version}; versions from ${release.oldest} can run on it.`);
  }
  lines.push(...unknown.map((name) => `later    ${name}`), ...pending.map((name) => `missing  ${name}`));
  lines.push(pending.length > 0 ? 'Run: npm run cli -- db migrate' : 'The database is up to date.');
  assertCompatible(release, unknown);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = pending.length > 0 ? EXIT_CODES.someRefused : EXIT_CODES.allWell;
}

async function handleCreateMigration(withContext: WithContext): Promise<void> {
  await withDatabase(async (url) => void (await migrate(url)));
  const name = await withContext((context) => context.get(MigrationWriter).write());
  process.stdout.write(name ? `wrote migrations/${name}\n` : 'The migrations already say what the entities say.\n');
}

/** `db`: the database's schema. */
export function registerDatabaseCommands(program: Command, withContext: WithContext): void {
  const db = program.command('db').description('the database and its schema');
  guide(
    db
      .command('migrate')
      .description('bring the database up to date; safe to run twice, or by two processes at once')
      .action(() => withDatabase(handleMigrate)),
    {
      examples: [['', 'before a new version of the server starts']],
    },
  );
  guide(
    db
      .command('status')
      .description('which version the schema is of, whether this version can run on it, and what it lacks')
      .action(() => withDatabase(handleStatus)),
    {
      partly: 'migrations have to run',
      examples: [['', 'before and after an upgrade, or before going back to an earlier version']],
    },
  );
  guide(
    db
      .command('create-migration')
      .description('for developers: write a migration for what changed in the entities')
      .action(() => handleCreateMigration(withContext)),
    {
      examples: [['', 'after a change of entities']],
    },
  );
}
