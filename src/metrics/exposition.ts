import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { readWithin } from '../database/database-unavailable.js';
import { JobQueue } from '../database/job-queue.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { REQUEST_LIMITS, withDatabaseLimits } from '../database/pool/database-limits.js';
import { DURATION_BOUNDS, OUTCOMES, type AnswerCounts } from './answer-counts.js';
import { counter, gauge, labeled, single, type Family, type Sample } from './family.js';
import { Metrics } from './metrics.js';
import { ProcessFamilies } from './process-families.js';
import type { Tally } from './tally.js';
import { QUEUE_READ_MS } from '../config/time-limits.js';

const QUEUE_LIMITS = {
  ...REQUEST_LIMITS,
  acquireMs: QUEUE_READ_MS,
  statementMs: QUEUE_READ_MS,
  totalMs: QUEUE_READ_MS,
};

/** Makes metrics of a process' counts and of facts that it can look up within a second. */
export class Exposition {
  private readonly process = new ProcessFamilies();
  private readonly metrics: Metrics;
  private queues: Promise<Family[]> | undefined;

  constructor(private readonly app: INestApplicationContext) {
    this.metrics = app.get(Metrics);
  }

  /** Never fails, and never waits for a database that is away: then there are no lines about its queues. */
  async collect(): Promise<Family[]> {
    // Scrapes that meet share one question.
    this.queues ??= this.collectQueues().finally(() => (this.queues = undefined));
    return [...this.collectCounts(), ...this.collectPool(), ...(await this.queues), ...this.process.collect()];
  }

  private collectCounts(): Family[] {
    const { answers, cachedPages, renderings, mails, accountMails, signIns, uploads, outages } = this.metrics;
    const tally = (name: string, help: string, label: string, counts: Tally<string>) =>
      counter({ name, help }, labeled(label, counts.entries()));
    const kinds = Object.entries(answers.byKind);
    return [
      counter({ name: 'http_requests_total', help: 'Requests that were answered' }, kinds.flatMap(toOutcomes)),
      {
        name: 'http_request_duration_seconds',
        help: 'How long answers took, the sending included unless the page lay ready',
        type: 'histogram',
        aggregator: 'sum',
        values: kinds.flatMap(toHistogram),
      },
      tally('page_cache_answers_total', 'Answers with pages that may be kept', 'state', cachedPages),
      tally('page_renderings_total', 'Pages that were rendered', 'result', renderings),
      tally('mails_total', 'Attempts to hand a mail to the mail server', 'result', mails),
      tally(
        'account_mail_requests_total',
        'Requests for mails of accounts, by what their limits say',
        'result',
        accountMails,
      ),
      tally('sign_ins_total', 'Attempts to sign in with a password, a code, a link or a passkey', 'result', signIns),
      tally('uploads_total', 'Images that were sent in', 'result', uploads),
      tally('outage_answers_total', 'Answers that say that something is away or full', 'code', outages),
    ];
  }

  private collectPool(): Family[] {
    const { lent, idle, waiting, size } = this.app.get(ConnectionPool, { strict: false }).figures();
    const states = [
      ['lent', lent],
      ['idle', idle],
    ] as const;
    return [
      gauge(
        { name: 'database_pool_connections', help: 'Connections to the database that are open' },
        labeled('state', states),
      ),
      gauge(
        { name: 'database_pool_waiting', help: 'Tasks that wait for a connection to the database' },
        single(waiting),
      ),
      gauge({ name: 'database_pool_size', help: 'The most connections there may be' }, single(size)),
    ];
  }

  private async collectQueues(): Promise<Family[]> {
    const find = () => this.app.get(JobQueue, { strict: false }).findBacklogs(this.em.fork());
    const backlogs = await withDatabaseLimits(QUEUE_LIMITS, () => readWithin(QUEUE_READ_MS, find())).catch(() => []);
    if (backlogs.length === 0) return [];
    return [
      gauge(
        { name: 'job_queue_waiting_jobs', help: 'Jobs that are due and not done' },
        labeled(
          'queue',
          backlogs.map(({ queue, count }) => [queue, count]),
        ),
        'max',
      ),
      gauge(
        { name: 'job_queue_oldest_job_seconds', help: 'For how long the oldest of them has been due' },
        labeled(
          'queue',
          backlogs.map(({ queue, oldestSeconds }) => [queue, oldestSeconds]),
        ),
        'max',
      ),
    ];
  }

  private get em(): EntityManager {
    return this.app.get(EntityManager, { strict: false });
  }
}

function toOutcomes([kind, { outcomes }]: readonly [string, AnswerCounts]): Sample[] {
  return OUTCOMES.flatMap((outcome, index) => {
    // Not a line for what hardly any kind ever answers.
    const value = outcomes[index] ?? 0;
    return outcome === '1xx' && value === 0 ? [] : [{ labels: { kind, outcome }, value }];
  });
}

/** Bounds of a histogram are cumulative. */
function toHistogram([kind, { durations, seconds }]: readonly [string, AnswerCounts]): Sample[] {
  const name = 'http_request_duration_seconds';
  let count = 0;
  const buckets = [...DURATION_BOUNDS, '+Inf'].map((bound, index) => {
    count += durations[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { kind, le: String(bound) }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { kind }, value: seconds },
    { metricName: `${name}_count`, labels: { kind }, value: count },
  ];
}
