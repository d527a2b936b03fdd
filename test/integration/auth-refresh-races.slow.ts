import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { RefreshToken } from '../../src/auth/sessions/refresh-token.entity.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { User } from '../../src/auth/accounts/user.entity.js';
import { Clock } from '../../src/shared/clock.js';
import { createAccount } from '../support/accounts.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { startProcess } from '../support/process.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { explain, type RefreshAnswer, type RefreshLine } from '../support/refresh-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const REUSE_MS = 10_000;
const USED = 'refresh_token_already_used';

let here: AuthServer;
/** The addresses of the API in this process and in another one, over one database and with one clock. */
let urls: readonly string[];
let now = Date.now();
let tellTime: () => void;
let userId: string;

beforeAll(async () => {
  const file = join(temporaryFolder(), 'now');
  tellTime = () => writeFileSync(file, String(now));
  tellTime();
  here = await startAuthServer();
  here.app.get(Clock).now = () => new Date(now);
  const other = startProcess(['test/support/clocked-server.mjs', file], here.app.environment);
  const [, url = ''] = await other.waitForOutput(/Listening at (\S+)/);
  urls = [here.url, `${url}${here.app.config.auth.basePath}`];
  userId = (await createAccount(here.app)).id;
});

/** One use of a refresh token: in which process, and how many places before the newest one it is in the line. */
interface Use {
  readonly process: number;
  readonly age: number;
}

/** Uses of tokens at one time, after a pause (milliseconds). */
interface Burst {
  readonly pause: number;
  readonly uses: readonly Use[];
}

// Mostly the newest tokens: a session that ended has little more to show.
const age = fc.oneof({ weight: 8, arbitrary: fc.nat(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) });
const pause = fc.constantFrom(0, 4000, REUSE_MS, REUSE_MS + 1, 3_000_000);
const use: fc.Arbitrary<Use> = fc.record({ process: fc.nat(1), age });
const burst: fc.Arbitrary<Burst> = fc.record({ pause, uses: fc.array(use, { minLength: 1, maxLength: 5 }) });

async function beginSession(): Promise<{ id: string; line: RefreshLine }> {
  const tokens = await here.app
    .get(EntityManager)
    .fork()
    .transactional(async (em) => {
      const user = await em.findOneOrFail(User, { id: userId });
      const caller = { ip: '127.0.0.1', userAgent: 'test', bearer: undefined, audience: undefined, redirectTo: '' };
      return await here.app.get(SessionsService).begin(em, user, 'password', caller);
    });
  const payload = Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString();
  const { session_id: id } = JSON.parse(payload) as { session_id: string };
  return { id, line: { tokens: [tokens.refresh_token], revokedAt: [], isEnded: false } };
}

async function refresh(line: RefreshLine, { process, age: places }: Use): Promise<RefreshAnswer> {
  const used = Math.max(0, line.tokens.length - 1 - places);
  const answer = await fetch(`${urls[process]}/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ refresh_token: line.tokens[used] }),
  });
  const body = (await answer.json()) as { refresh_token?: string; code?: string };
  if (answer.status !== 200) expect({ status: answer.status, code: body.code }).toEqual({ status: 400, code: USED });
  return { used, successor: body.refresh_token ?? null };
}

async function play(bursts: readonly Burst[]): Promise<void> {
  const { id: sessionId, line: first } = await beginSession();
  let line = first;
  for (const { pause: passed, uses } of bursts) {
    now += passed;
    tellTime();
    const known = line;
    const answers = await Promise.all(uses.map((each) => refresh(known, each)));
    const next = explain(known, answers, now, REUSE_MS);
    if (next === null) throw new Error(`No order explains ${JSON.stringify(answers)} after ${JSON.stringify(known)}`);
    line = next;
  }
  const active = await here.app.get(EntityManager).fork().count(RefreshToken, { sessionId, isRevoked: false });
  expect(active).toBe(line.isEnded ? 0 : 1);
  // Whoever holds the last token is in, unless a stolen one has ended the session.
  const { successor } = await refresh(line, { process: 0, age: 0 });
  expect(successor === null).toBe(line.isEnded);
}

describe('a session that two processes refresh at once', () => {
  it('never forks, and ends when an old token comes back', async () => {
    await fc.assert(fc.asyncProperty(fc.array(burst, { minLength: 2, maxLength: 5 }), play), {
      numRuns: 20,
      seed: PROPERTY_SEED,
      endOnFailure: true,
    });
  });
});
