import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { createPostgreSqlTypeParsers, defineConfig, type Options } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import array from 'postgres-array';
import { IS_BUILT, PROJECT_ROOT } from '../config/project-root.js';
import { JOB_QUEUE_SCHEMA } from './job-queue-schema.js';
import { ConnectionPool } from './pool/connection-pool.js';
import { COMMAND_LIMITS, type DatabaseLimits } from './pool/database-limits.js';

/** Folder of the migrations as this process can import them. */
export const MIGRATIONS_FOLDER = join(PROJECT_ROOT, IS_BUILT ? 'dist/migrations' : 'migrations');

/** Opens a pool of up to `size` connections, which reads values as the ORM expects them; `limits` hold outside of requests. */
export function openPool(url: string, size: number, limits: DatabaseLimits = COMMAND_LIMITS): ConnectionPool {
  const types = new pg.TypeOverrides();
  for (const [oid, parse] of Object.entries(createPostgreSqlTypeParsers((value) => array.parse(value)))) {
    types.setTypeParser(Number(oid), parse);
  }
  return new ConnectionPool(url, { size, limits, types });
}

/** The ORM's options over a database address. Closing the ORM ends the pool if the ORM has used it. */
export function ormOptions(url: string, pool: ConnectionPool = openPool(url, 2)): Options {
  return defineConfig({
    clientUrl: url,
    // The ORM's own pool loses a connection with every transaction that is cut off (docs/decisions/0038).
    driverOptions: () => new PostgresDialect({ pool }),
    // It would look for the name in DATABASE_URL, which is a pooler's own, and make a database of that name.
    ensureDatabase: false,
    // None are known here: the modules of the rooms register theirs, and running migrations needs none.
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    forceUtcTimezone: true,
    migrations: {
      path: MIGRATIONS_FOLDER,
      pathTs: join(PROJECT_ROOT, 'migrations'),
      emit: 'ts',
      snapshot: true,
      snapshotName: '.snapshot',
      // Written with new migrations only: running one would change a file of the clone, and so ask for a new build.
      snapshotOnMigrate: false,
      silent: true,
    },
    schemaGenerator: { ignoreSchema: [JOB_QUEUE_SCHEMA] },
    // Queries are logged nowhere by default: they would carry the words of people.
    debug: false,
  });
}
