import type { PgBoss } from 'pg-boss';
import { CLOCK_TOLERANCE_MS } from '../shared/clock.js';
import { JOB_QUEUE_SCHEMA } from './job-queue-schema.js';

/** By the clock of the database, which alone writes these moments. */
const LATEST = `(now() + interval '${CLOCK_TOLERANCE_MS} milliseconds')`;
/** A job that waits for another attempt never waits for longer than its queue says. */
const IS_RETRY_AHEAD = `(state = 'retry' and start_after > ${LATEST} + coalesce(retry_delay_max, 0) * interval '1 second')`;
/** A plan for a far day is made today; one that was made on a far day is the same time away from today. */
const IS_MADE_AHEAD = `(created_on > ${LATEST})`;
const IS_BEGUN_AHEAD = `(state = 'active' and greatest(started_on, heartbeat_on) > ${LATEST})`;
const IS_DONE_AHEAD = `(completed_on > ${LATEST})`;

const START = `case
  when ${IS_RETRY_AHEAD} then now()
  when ${IS_MADE_AHEAD} and state = 'created' then now() + greatest(start_after - created_on, interval '0')
  else start_after end`;

/** Rows that a worker or another process holds are left for the next time. */
const MEND_JOBS = `
  update ${JOB_QUEUE_SCHEMA}.job set
    start_after = ${START},
    keep_until = keep_until - start_after + ${START},
    created_on = case when ${IS_MADE_AHEAD} then now() else created_on end,
    started_on = case when ${IS_BEGUN_AHEAD} then now() else started_on end,
    heartbeat_on = case when ${IS_BEGUN_AHEAD} then now() else heartbeat_on end,
    completed_on = case when ${IS_DONE_AHEAD} then now() else completed_on end
  where (name, id) in (
    select name, id from ${JOB_QUEUE_SCHEMA}.job
    where ${IS_RETRY_AHEAD} or ${IS_MADE_AHEAD} or ${IS_BEGUN_AHEAD} or ${IS_DONE_AHEAD}
    for update skip locked)`;

const NULL_IF_AHEAD = (column: string) => `${column} = case when ${column} <= ${LATEST} then ${column} end`;
const IS_AHEAD = (column: string) => `${column} > ${LATEST}`;

/** When the upkeep of a queue, such as for jobs whose process died, ran last: it would not run until then. */
const QUEUE_COLUMNS = ['monitor_claim_on', 'monitor_on', 'maintain_on'];
const MEND_QUEUES = `update ${JOB_QUEUE_SCHEMA}.queue set ${QUEUE_COLUMNS.map(NULL_IF_AHEAD).join()}
  where ${QUEUE_COLUMNS.map(IS_AHEAD).join(' or ')}`;
/** The same of what runs for all queues. */
const VERSION_COLUMNS = ['cron_on', 'bam_on', 'flow_on', 'reindex_on', 'monitor_backoff_on'];
const MEND_VERSION = `update ${JOB_QUEUE_SCHEMA}.version set ${VERSION_COLUMNS.map(NULL_IF_AHEAD).join()}
  where ${VERSION_COLUMNS.map(IS_AHEAD).join(' or ')}`;

/**
 * Brings moments back to the present that the database noted while its clock was ahead, as after a start with a wrong
 * date: until then, waiting jobs would wait, and those of dead processes would count as being done.
 * @returns how many jobs
 */
export async function mendMoments(database: ReturnType<PgBoss['getDb']>): Promise<number> {
  const { rows } = await database.executeSql(`${MEND_JOBS} returning id`);
  await database.executeSql(MEND_QUEUES);
  await database.executeSql(MEND_VERSION);
  return rows.length;
}
