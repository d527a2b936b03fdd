import type { Command } from 'commander';
import { loadConfig } from '../../src/config/config.js';
import { createMigration, migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open-database.js';
import { guide } from '../guide.js';

async function withDatabase(task: (url: string) => Promise<void>): Promise<void> {
  const database = await openDatabase(loadConfig());
  try {
    await task(database.url);
  } finally {
    await database.close();
  }
}

async function handleMigrate(url: string): Promise<void> {
  const names = await migrate(url);
  for (const name of names) process.stdout.write(`ran ${name}\n`);
  if (names.length === 0) process.stdout.write('The database is up to date.\n');
}

async function handleCreateMigration(url: string): Promise<void> {
  await migrate(url);
  const name = await createMigration(url);
  process.stdout.write(name ? `wrote migrations/${name}\n` : 'The migrations already say what the entities say.\n');
}

/** `db`: the database's schema. */
export function registerDatabaseCommands(program: Command): void {
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
      .command('create-migration')
      .description('for developers: write a migration for what changed in the entities')
      .action(() => withDatabase(handleCreateMigration)),
    {
      examples: [['', 'after a change of entities']],
    },
  );
}
