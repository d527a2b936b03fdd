import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { ok, warn, type Statement } from './finding.js';

const ADVICE =
  'npm run cli -- webhooks list says what was not taken; correct NOTIFY_WEBHOOK_URL, and find out with webhooks test.';

interface Row {
  readonly waiting: number;
  readonly failed: number;
  readonly reason: string;
}

/** Messages that were tried since the last one that was taken. */
const SQL = `
  select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'failed')::int as failed,
    (array_agg(last_error order by last_tried_at desc))[1] as reason
  from webhook_deliveries
  where last_error is not null and last_tried_at > coalesce(
    (select max(last_tried_at) from webhook_deliveries where state = 'delivered'), '-infinity')`;

/** Checks that the other system takes what it is told: nobody else says so, as it is where alarms go. */
export async function checkWebhook({ client }: ConnectedDatabase, { webhook }: Config): Promise<Statement> {
  if (webhook === null) return ok('nobody is told of alarms (NOTIFY_WEBHOOK_URL)');
  const { rows } = await client.query<Row>(SQL);
  const { waiting, failed, reason } = rows[0] ?? { waiting: 0, failed: 0, reason: '' };
  // The path of the address may be a secret.
  const { host } = new URL(webhook.url);
  if (waiting + failed === 0) return ok(`${host} is told of enquiries and alarms`);
  return warn(`${host} took none of the last messages (${waiting} tried again, ${failed} given up): ${reason}`, ADVICE);
}
