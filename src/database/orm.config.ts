import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { IS_BUILT, PROJECT_ROOT } from '../config/project-root.js';
import { entities } from './entities.js';
import { JOB_QUEUE_SCHEMA } from './job-queue-schema.js';

/** Folder of the migrations as this process can import them. */
export const MIGRATIONS_FOLDER = join(PROJECT_ROOT, IS_BUILT ? 'dist/migrations' : 'migrations');

/** The ORM's options over a database address; `poolSize` in connections. */
export function ormOptions(url: string, poolSize: number): Options {
  return defineConfig({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    forceUtcTimezone: true,
    migrations: {
      path: MIGRATIONS_FOLDER,
      pathTs: join(PROJECT_ROOT, 'migrations'),
      emit: 'ts',
      snapshot: true,
      snapshotName: '.snapshot',
      silent: true,
    },
    schemaGenerator: { ignoreSchema: [JOB_QUEUE_SCHEMA] },
    // Queries are logged nowhere by default: they would carry the words of people.
    debug: false,
  });
}
