import { COMMAND_CONNECTION_OPTIONS } from './pool/database-client.js';

/** The schema in which the job queue (pg-boss) keeps its own tables. It creates and upgrades them itself. */
export const JOB_QUEUE_SCHEMA = 'pgboss';

/** Creates or upgrades the tables of the job queue; two processes may do so at once. */
export async function installJobQueue(url: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  // Options that the types leave out reach the driver as well.
  const options = {
    ...COMMAND_CONNECTION_OPTIONS,
    connectionString: url,
    schema: JOB_QUEUE_SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  };
  const boss = new PgBoss(options);
  // Without a listener an error event ends the process; what matters here is thrown as well.
  boss.on('error', () => {});
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}
