import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { Clock } from '../../src/shared/clock.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { onCleanup } from '../support/cleanup.js';
import { isLong, scaled } from '../support/fault-scale.js';
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../support/identity-provider.js';
import { ACTIONS, DRAWN, ORIGIN } from '../support/interleaved-calls.js';
import { call, draw, newPerson, pick, random, signIn, woven, type Person } from '../support/interleaved-people.js';
import { startProcess } from '../support/process.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { payloadOf } from '../support/sign-token.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** How often some calls are made at once, by how many of them at most. */
const INTERLEAVINGS = scaled(60, 10_000);
const AT_ONCE = 4;
const PEOPLE = 3;

let here: AuthServer;
let tellTime: () => void;
let database: pg.Client;

beforeAll(async () => {
  const file = join(temporaryFolder(), 'now');
  tellTime = () => writeFileSync(file, String(woven.now));
  tellTime();
  const provider = await startIdentityProvider('http://site.test/auth/v1/callback');
  here = await startAuthServer({
    AUTH_MAIL_AUTOCONFIRM: 'true',
    AUTH_GUESSES_FACTOR: '0',
    AUTH_GUESSES_PASSWORD: '0',
    AUTH_GUESSES_PAUSE: '0',
    AUTH_WEBAUTHN_ENABLED: 'true',
    AUTH_PASSKEYS_ENABLED: 'true',
    AUTH_WEBAUTHN_RP_ID: 'example.com',
    AUTH_WEBAUTHN_ORIGINS: ORIGIN,
    AUTH_OIDC_ISSUER: provider.issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    AUTH_MANUAL_LINKING: 'true',
  });
  here.app.get(Clock).now = () => new Date(woven.now);
  const others = await Promise.all(Array.from({ length: scaled(1, 2) }, () => startOther(file)));
  database = new pg.Client({ connectionString: here.app.config.database.url });
  await database.connect();
  onCleanup(() => database.end());
  Object.assign(woven, {
    // In the short form, one of them is the process of the test.
    urls: isLong ? others : [here.url, ...others],
    serviceToken: (await here.app.get(AccessTokenService).issueServiceToken(10 * 365 * 86_400)).token,
    provider,
    newEmail: here.newEmail,
  });
});

/** Starts the built server with the time of a file, and answers the address of its API of accounts. */
async function startOther(file: string): Promise<string> {
  const other = startProcess(['test/support/clocked-server.mjs', file], here.app.environment);
  const [, url = ''] = await other.waitForOutput(/Listening at (\S+)/);
  return `${url}${here.app.config.auth.basePath}`;
}

/** Notes rows that must not be, whoever made them. */
async function inspect(): Promise<void> {
  const above = await database.query<{ id: string }>(
    `select s.id from auth.sessions s where s.aal = 'aal2' and not exists (
         select from auth.mfa_factors f where f.id = s.factor_id and f.user_id = s.user_id and f.status = 'verified')
       union all select f.id from auth.mfa_factors f where f.factor_type = 'recovery_code' and not exists (
         select from auth.mfa_factors a where a.user_id = f.user_id and a.factor_type <> 'recovery_code'
           and a.status = 'verified')`,
  );
  for (const { id } of above.rows) woven.harm.push(`${id} is above what its factors allow`);
}

/** A session opens the product's own routes if it is of aal2, or of somebody without a verified factor. */
async function tryToEnter(person: Person): Promise<void> {
  const session = pick(person.sessions);
  if (session === undefined) return;
  const known = await database.query<{ is_good: boolean }>(
    `select s.aal = 'aal2' or not exists (
         select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified') as is_good
       from auth.sessions s where s.id = $1`,
    [payloadOf(session.access)['session_id']],
  );
  const [origin] = (pick(woven.urls) ?? '').split('/auth/');
  const { status } = await fetch(`${origin}/api/me`, { headers: { authorization: `Bearer ${session.access}` } });
  const isExpired = Number(payloadOf(session.access)['exp']) * 1000 <= woven.now;
  const expected = known.rows[0]?.is_good && !isExpired ? 200 : 401;
  if (status !== expected) woven.harm.push(`/api/me was answered ${status} instead of ${expected}`);
}

it(`${INTERLEAVINGS} interleavings of calls in two processes leave no session above what its factors allow (seed ${PROPERTY_SEED})`, async () => {
  woven.people = await Promise.all(Array.from({ length: PEOPLE }, newPerson));
  for (let round = 0; round < INTERLEAVINGS && woven.harm.length === 0; round += 1) {
    woven.now += Math.floor(random() * 30_000);
    tellTime();
    const place = Math.floor(random() * PEOPLE);
    const person = woven.people[place];
    if (!person) continue;
    const calls = Array.from({ length: 1 + Math.floor(random() * AT_ONCE) }, () => pick(DRAWN) ?? '');
    await Promise.all(
      calls.map(async (name) => {
        await ACTIONS[name]?.(person, draw(person.sessions) ?? { access: '', refresh: [] }, draw(person.apps));
      }),
    );
    await inspect();
    await tryToEnter(person);
    const { status } = await call('read account', 'GET', `/admin/users/${person.id}`, woven.serviceToken);
    if (status === 404) woven.people[place] = await newPerson();
    else if (person.sessions.length === 0 || random() < 0.1) await signIn(person);
  }
  expect(woven.harm).toEqual([]);
  if (isLong)
    process.stdout.write(
      `${[...woven.counts]
        .toSorted()
        .map(([key, count]) => `${key}: ${count}`)
        .join('\n')}\n`,
    );
  const good = [...woven.counts.keys()].filter((key) => / 20[04]$/.test(key)).map((key) => key.slice(0, -4));
  // A few of them leave some out by chance.
  expect(good).toContain('verify');
  if (isLong)
    expect(new Set(good)).toEqual(new Set([...Object.keys(ACTIONS), 'begin passkey', 'sign up', 'read account']));
});
