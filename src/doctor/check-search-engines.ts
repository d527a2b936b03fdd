import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { JOB_QUEUE_SCHEMA } from '../database/job-queue-schema.js';
import { SEARCH_PING_QUEUE } from '../posts/search-pings/search-pings.service.js';
import { ok, warn, type Statement } from './finding.js';

/** Checks that search engines take what they are told of posts. */
export async function checkSearchEngines({ client }: ConnectedDatabase, { indexNow }: Config): Promise<Statement> {
  if (indexNow === null) return ok('they are not told of posts (INDEXNOW_KEY)');
  const { rows } = await client.query<{ state: string; reason: string | null; waiting: number }>(
    `select state::text as state, output->>'message' as reason, (select count(*)::int from search_pings) as waiting
     from ${JOB_QUEUE_SCHEMA}.job where name = $1 order by created_on desc limit 1`,
    [SEARCH_PING_QUEUE.name],
  );
  const { state, reason, waiting } = rows[0] ?? { state: 'completed', reason: null, waiting: 0 };
  const { host } = new URL(indexNow.endpoint);
  const sentence = `${waiting} ${waiting === 1 ? 'address waits' : 'addresses wait'}: ${host} ${reason ?? 'failed'}`;
  if (state === 'failed') {
    return warn(sentence, `See that visitors can open /${indexNow.key}.txt, correct INDEXNOW_KEY, and restart.`);
  }
  if (state === 'retry') return warn(sentence, 'It is tried again by itself.');
  return ok(`${host} is told of posts`);
}
