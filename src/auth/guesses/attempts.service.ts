import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, CLOCK_TOLERANCE_MS } from '../../shared/clock.js';
import { tooManyRequests } from '../auth.error.js';

/** The key of a counter of attempts. */
export interface AttemptKey {
  /** Owner of the secret: the id of an account, or the keyed hash of an address; at most 64 characters. */
  readonly subject: string;
  /** Which secret, such as password; at most 32 characters. */
  readonly purpose: string;
  /** Counts one guesser apart; empty for everybody else. At most 100 characters. */
  readonly source: string;
}

/** How many attempts may fail. */
export interface AttemptPolicy {
  /** Failures within any `seconds`; 0 is no limit. */
  readonly count: number;
  readonly seconds: number;
  /** Pauses after failures: from 1 s after the failure number `after` on, doubling up to `longest`; 0 is none. */
  readonly pause?: { readonly after: number; readonly longest: number };
}

/** Attempts at one counter that may be judged at the same time. Honest people rarely need two. */
const MOST_PENDING = 10;
/** An attempt that is pending for longer belongs to a process that has died. */
const PENDING_SECONDS = 60;
/** With pauses and no limit, older failures no longer change the pause. */
const MOST_KEPT = 999;
const CLEAN_EVERY = 100;
const CLEAN_AT_ONCE = 2_000;
/** No policy looks further back. */
export const ATTEMPTS_KEPT_MS = 2 * 24 * 3600 * 1000;

/** Later moments are of a clock that was wrong: they would count until they come. */
const LATEST = `asked.now + interval '${CLOCK_TOLERANCE_MS} milliseconds'`;
/** The parts of the row `a` that count at the time that `asked` has. */
const RECENT = `unnest(a.failures) as failed
  where failed > asked.now - asked.seconds * interval '1 second' and failed <= ${LATEST}`;
const PENDING = `case
  when a.touched_at > asked.now - interval '${PENDING_SECONDS} seconds' and a.touched_at <= ${LATEST} then a.pending
  else 0 end`;
/** Seconds until a further attempt is allowed; 0 or less is now. */
const WAIT = `(
  select greatest(
    case when asked.longest > 0 and count(failed) >= asked.after
      then extract(epoch from max(failed) - asked.now) + least(asked.longest, power(2, count(failed) - asked.after))
      else 0 end,
    case when count(failed) + (${PENDING}) >= asked.count
      then coalesce(extract(epoch from min(failed) - asked.now) + asked.seconds, 1) else 0 end,
    case when (${PENDING}) >= ${MOST_PENDING} then 1 else 0 end)
  from ${RECENT})`;
const ASKED = `asked as materialized (
  select ?::timestamptz as now, ?::float8 as seconds, ?::int as count, ?::int as after, ?::float8 as longest)`;

/** One statement, so that of attempts at once, in however many processes, no more are judged than may fail. */
const BEGIN = `
  with ${ASKED}
  insert into auth.attempts as a (subject, purpose, source, failures, pending, touched_at)
  select ?, ?, ?, '{}', 1, now from asked
  on conflict (subject, purpose, source) do update set
    pending = (select (${PENDING}) + 1 from asked),
    touched_at = excluded.touched_at
  where (select ${WAIT} <= 0 from asked)
  returning 1`;
const ASK = `
  with ${ASKED}
  select ${WAIT} as wait from auth.attempts a, asked where subject = ? and purpose = ? and source = ?`;
const FAIL = `
  with ${ASKED}
  update auth.attempts a set
    failures = array(
      select failed from (select failed from asked, ${RECENT} order by failed desc limit ${MOST_KEPT}) as kept
      order by failed) || ?::timestamptz,
    pending = greatest(0, a.pending - 1)
  where subject = ? and purpose = ? and source = ?
  returning cardinality(failures) as failures`;
const RETURN = `
  update auth.attempts set pending = greatest(0, pending - 1) where subject = ? and purpose = ? and source = ?`;

/**
 * Counts attempts to prove something: passwords, codes, second factors. An attempt is counted before it is judged, and
 * afterward either kept as a failure or returned.
 */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges an attempt if the counter allows it. An error that `judge` throws is nobody's failure.
   * @param judge compares; tells whether the attempt was right
   * @returns whether it was, and how many failures the counter holds
   * @throws AuthError 429 over_request_rate_limit without having judged
   */
  async judge<T extends { readonly isRight: boolean }>(
    key: AttemptKey,
    policy: AttemptPolicy,
    judge: () => Promise<T>,
  ): Promise<T & { readonly failures: number }> {
    if (policy.count === 0 && !policy.pause?.longest) return { ...(await judge()), failures: 0 };
    const em = this.em.fork({ disableTransactions: true });
    await this.begin(em, key, policy);
    let isSettled = false;
    try {
      const judgment = await judge();
      if (judgment.isRight) return { ...judgment, failures: 0 };
      isSettled = true;
      return { ...judgment, failures: await this.keepFailure(em, key, policy) };
    } finally {
      // What was judged stands, also a code that is used up by now. One that cannot be given back lapses by itself.
      if (!isSettled) await em.execute(RETURN, [key.subject, key.purpose, key.source]).catch(() => undefined);
    }
  }

  /** Forgets all failures at the secrets of a subject, from every source. */
  async forget(em: EntityManager, subject: string): Promise<void> {
    await em.execute('delete from auth.attempts where subject = ?', [subject]);
  }

  private async begin(em: EntityManager, key: AttemptKey, policy: AttemptPolicy): Promise<void> {
    const now = this.clock.now();
    if (Math.random() * CLEAN_EVERY < 1) await this.clean(em, now);
    const values = [...asked(policy, now), key.subject, key.purpose, key.source];
    if ((await em.execute<unknown[]>(BEGIN, values)).length > 0) return;
    const [row] = await em.execute<{ wait: number | string }[]>(ASK, values);
    throw tooManyRequests(Math.max(1, Math.ceil(Number(row?.wait ?? 1))));
  }

  private async keepFailure(em: EntityManager, key: AttemptKey, policy: AttemptPolicy): Promise<number> {
    const now = this.clock.now();
    const values = [...asked(policy, now), now, key.subject, key.purpose, key.source];
    const [row] = await em.execute<{ failures: number }[]>(FAIL, values);
    // Without a row the failures were forgiven meanwhile.
    return row?.failures ?? 0;
  }

  private async clean(em: EntityManager, now: Date): Promise<void> {
    await em.execute(
      `delete from auth.attempts where (subject, purpose, source) in (
         select subject, purpose, source from auth.attempts where touched_at < ? or touched_at > ?
         limit ${CLEAN_AT_ONCE} for update skip locked)`,
      [new Date(now.getTime() - ATTEMPTS_KEPT_MS), new Date(now.getTime() + CLOCK_TOLERANCE_MS)],
    );
  }
}

function asked({ count, seconds, pause }: AttemptPolicy, now: Date): unknown[] {
  // No limit is more than a row can hold.
  return [now, seconds, count === 0 ? 2_000_000_000 : count, pause?.after ?? 0, pause?.longest ?? 0];
}
