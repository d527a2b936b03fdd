import type { RateLimit } from '../config/auth-config.js';
import type { Config } from '../config/config.js';
import { MAIL_TURN_SECONDS } from '../config/time-limits.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { FIND_BUCKETS, levelOf, type BucketRow } from '../http/rate-limits/bucket-level.js';
import { fail, ok, warn, type Statement } from './finding.js';

const ADVICE =
  'Raise AUTH_RATE_LIMIT_MAIL if that many people ask. If it is somebody who uses it up, the log has their addresses ' +
  'beside over_email_send_rate_limit: lower AUTH_RATE_LIMIT_MAIL_ADDRESS and _NETWORK, or refuse them in the proxy.';

type Turn = 'at once' | 'later' | 'refused';

/**
 * Finds out whether people still get the mails that they ask for, or those of the hour are used up. Only the budgets of
 * the whole server count: that one visitor had enough is as it should be.
 */
export async function checkMailBudget({ client }: ConnectedDatabase, { auth }: Config): Promise<Statement> {
  const { server, recovery } = auth.mailBudgets;
  if (auth.mail.isAutoconfirmed) return ok('nobody waits for mails: addresses need no confirmation');
  if (server.count === 0) return ok('mails have no limit (AUTH_RATE_LIMIT_MAIL)');
  const { rows } = await client.query<BucketRow>(FIND_BUCKETS, [['mail:server', 'mail:recovery']]);
  const now = new Date(Date.now());
  const findTurn = (key: string, limit: RateLimit): Turn => {
    const bucket = rows.find((row) => row.key === key);
    return turnOf(levelOf(bucket, limit, now), limit);
  };
  const turn = findTurn('mail:server', server);
  if (turn === 'at once') return ok(`some of the ${server.count} mails that may be asked for in an hour are left`);
  const problem = `the ${server.count} mails that may be asked for in an hour are used up`;
  // Recovery goes by a reserve of its own then, if there is one.
  const reserve = recovery.count === 0 ? turn : findTurn('mail:recovery', recovery);
  if (reserve === 'refused') {
    const kept = recovery.count === 0 ? '' : `, and the ${recovery.count} for new passwords`;
    return fail(`${problem}${kept}: whoever asks for one is refused`, ADVICE);
  }
  if (turn === 'refused')
    return fail(`${problem}: whoever asks for another one than for a new password is refused`, ADVICE);
  return warn(`${problem}: the next ones wait for up to ${MAIL_TURN_SECONDS / 60} minutes`, ADVICE);
}

/** Says what becomes of the next mail (`mail-budgets.service.ts`). */
function turnOf(level: number, { count, seconds }: RateLimit): Turn {
  if (level >= 1) return 'at once';
  return level - 1 >= (-count / seconds) * MAIL_TURN_SECONDS ? 'later' : 'refused';
}
