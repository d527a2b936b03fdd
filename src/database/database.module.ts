import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ContentListener } from './content-listener.js';
import { ContentNotifier } from './content-notifier.js';
import { JobQueue } from './job-queue.js';
import { MigrationWriter } from './migration-writer.js';
import { DIRECT_URL, type DatabaseAddresses } from './open-database.js';
import { openPool, ormOptions } from './orm.config.js';
import { ConnectionPool } from './pool/connection-pool.js';
import type { DatabaseLimits } from './pool/database-limits.js';

/** The ORM, the notifications between processes and the job queue, for every room. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param database one that is up and migrated; @param poolSize in connections; @param limits outside of requests */
  static register({ url, directUrl }: DatabaseAddresses, poolSize: number, limits: DatabaseLimits): DynamicModule {
    const pool = openPool(url, poolSize, limits);
    return {
      module: DatabaseModule,
      imports: [
        // The request context is a hook of the server (server/create-app.ts): the module's own middleware misses some routes.
        MikroOrmModule.forRoot({
          ...ormOptions(url, pool),
          driver: PostgreSqlDriver,
          registerRequestContext: false,
          // Those that the modules of the rooms register (MikroOrmModule.forFeature).
          autoLoadEntities: true,
        }),
      ],
      providers: [
        { provide: ConnectionPool, useValue: pool },
        { provide: DIRECT_URL, useValue: directUrl },
        ContentNotifier,
        ContentListener,
        JobQueue,
        MigrationWriter,
      ],
      exports: [ConnectionPool, DIRECT_URL, ContentNotifier, ContentListener, JobQueue, MigrationWriter],
    };
  }
}
