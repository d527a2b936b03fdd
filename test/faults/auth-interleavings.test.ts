import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { TOTP } from 'otpauth';
import pg from 'pg';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { Clock } from '../../src/shared/clock.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { onCleanup } from '../support/cleanup.js';
import { isLong, scaled } from '../support/fault-scale.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/identity-provider.js';
import { startProcess } from '../support/process.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { randomNumbers } from '../support/random-numbers.js';
import { payloadOf } from '../support/sign-token.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** How often some calls are made at once, by how many of them at most. */
const INTERLEAVINGS = scaled(60, 10_000);
const AT_ONCE = 4;
const PEOPLE = 3;
/** What somebody holds of each kind at most: few of them meet more often. */
const MOST = 3;
const ORIGIN = 'https://www.example.com';
const PROVIDER = 'custom:oidc';

interface Session {
  access: string;
  /** The last one is good, those before it were. */
  readonly refresh: string[];
}

interface App {
  readonly id: string;
  readonly secret: string;
  readonly challenges: string[];
  readonly shown: string[];
}

/** A security key or a passkey, with all that it answered. */
interface Key {
  readonly id: string;
  readonly authenticator: SoftwareAuthenticator;
  readonly answers: { readonly challenge_id: string }[];
}

/** The members of options for a browser that keys look at. */
type KeyOptions = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** Someone, and all that they were ever given: what is good no more is shown as well. */
interface Person {
  id: string;
  email: string;
  sessions: Session[];
  apps: App[];
  keys: Key[];
  passkeys: Key[];
  /** Linked to the account at the provider. */
  identities: string[];
  recoveryCodes: string[];
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

let here: AuthServer;
let provider: IdentityProvider;
/** Addresses of this process and of another one, over one database and with one clock. */
let urls: readonly string[];
let serviceToken: string;
let now = Date.now();
let tellTime: () => void;
/** Codes that were taken, with what they are good for. */
const taken = new Set<string>();
const harm: string[] = [];
const counts = new Map<string, number>();
let people: Person[] = [];
let database: pg.Client;

beforeAll(async () => {
  const file = join(temporaryFolder(), 'now');
  tellTime = () => writeFileSync(file, String(now));
  tellTime();
  provider = await startIdentityProvider('http://site.test/auth/v1/callback');
  here = await startAuthServer({
    AUTH_MAIL_AUTOCONFIRM: 'true',
    AUTH_GUESSES_FACTOR: '0',
    AUTH_GUESSES_PASSWORD: '0',
    AUTH_WEBAUTHN_ENABLED: 'true',
    AUTH_PASSKEYS_ENABLED: 'true',
    AUTH_WEBAUTHN_RP_ID: 'example.com',
    AUTH_WEBAUTHN_ORIGINS: ORIGIN,
    AUTH_OIDC_ISSUER: provider.issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    AUTH_MANUAL_LINKING: 'true',
  });
  here.app.get(Clock).now = () => new Date(now);
  const other = startProcess(['test/support/clocked-server.mjs', file], here.app.environment);
  const [, url = ''] = await other.waitForOutput(/Listening at (\S+)/);
  urls = [here.url, `${url}${here.app.config.auth.basePath}`];
  database = new pg.Client({ connectionString: here.app.config.database.url });
  await database.connect();
  onCleanup(() => database.end());
  serviceToken = (await here.app.get(AccessTokenService).issueServiceToken(10 * 365 * 86_400)).token;
});

const random = randomNumbers(PROPERTY_SEED);
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

/** The newest more often than others. */
const draw = <T>(list: readonly T[]): T | undefined => (random() < 0.5 ? list.at(-1) : pick(list));

/** Calls one of the two processes; nothing may end in an error of theirs. */
async function call(title: string, method: string, path: string, bearer: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${pick(urls)}${path}`, {
    method,
    headers: { 'x-supabase-api-version': '2024-01-01', authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const key = `${title} ${answer.status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const found = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {};
  forget(bearer, path, found['code']);
  if (answer.status >= 500) harm.push(`${title} was answered ${answer.status}: ${text}`);
  return { status: answer.status, body: found };
}

/** Most of what is gone is not shown again, or little else would be. */
function forget(bearer: string, path: string, code: unknown): void {
  if (random() < 0.2) return;
  for (const person of people) {
    if (code === 'session_not_found') person.sessions = person.sessions.filter(({ access }) => access !== bearer);
    if (code !== 'mfa_factor_not_found') continue;
    person.apps = person.apps.filter(({ id }) => !path.includes(id));
    person.keys = person.keys.filter(({ id }) => !path.includes(id));
  }
}

function keepTokens(session: Session, { status, body }: Answer): void {
  if (status !== 200) return;
  session.access = String(body['access_token']);
  session.refresh.push(String(body['refresh_token']));
}

/** Notes that a code was taken, which none may be twice. */
function spend(code: string): void {
  if (taken.has(code)) harm.push(`${code} was taken twice`);
  taken.add(code);
}

async function signIn(person: Person): Promise<void> {
  const body = { email: person.email, password: PASSWORD };
  const answer = await call('sign in', 'POST', '/token?grant_type=password', '', body);
  keepSession(person, answer);
  // The provider has given the account to the owner of its address, without the password.
  if (answer.status === 400) await signInAtProvider(person);
}

async function signInAtProvider(person: Person): Promise<void> {
  const body = { provider: PROVIDER, id_token: await idTokenOf(person.id, person.email) };
  keepSession(person, await call('sign in at the provider', 'POST', '/token?grant_type=id_token', '', body));
}

/** A token by which the provider vouches for the address. */
async function idTokenOf(sub: string, email: string): Promise<string> {
  const [iat, exp] = [Math.floor(Date.now() / 1000), Math.floor(now / 1000) + 7200];
  return await provider.sign({ iss: provider.issuer, aud: CLIENT_ID, sub, iat, exp, email, email_verified: true });
}

function keepSession(person: Person, answer: Answer): void {
  const session: Session = { access: '', refresh: [] };
  keepTokens(session, answer);
  if (session.refresh.length > 0) person.sessions = [...person.sessions, session].slice(-MOST);
}

/** The last answer of a key more often than one from before, which no server may take twice. */
const drawAnswer = ({ answers }: Key) => (random() < 0.8 ? answers.at(-1) : pick(answers));

/** Each with a session of somebody, most of them with one of the authenticator apps as well. */
const ACTIONS: Readonly<Record<string, (person: Person, session: Session, app: App | undefined) => Promise<void>>> = {
  'sign in': signIn,
  refresh: async (_person, session) => {
    const token = random() < 0.9 ? session.refresh.at(-1) : pick(session.refresh);
    keepTokens(session, await call('refresh', 'POST', '/token?grant_type=refresh_token', '', { refresh_token: token }));
  },
  enroll: async (person, session) => {
    const body = { factor_type: 'totp', friendly_name: `app ${random()}` };
    const { status, body: made } = await call('enroll', 'POST', '/factors', session.access, body);
    if (status !== 200) return;
    const { secret } = made['totp'] as { readonly secret: string };
    person.apps = [...person.apps, { id: String(made['id']), secret, challenges: [], shown: [] }].slice(-MOST);
  },
  challenge: async (_person, session, app) => {
    if (!app) return;
    const { status, body } = await call('challenge', 'POST', `/factors/${app.id}/challenge`, session.access);
    if (status === 200) app.challenges.push(String(body['id']));
  },
  verify: async (person, session, app) => {
    if (!app) return;
    if (random() < 0.5) await ACTIONS['challenge']?.(person, session, app);
    const timestamp = now + (pick([-1, 0, 0, 0, 1]) ?? 0) * 30_000;
    const code =
      (random() < 0.2 ? pick(app.shown) : undefined) ?? new TOTP({ secret: app.secret }).generate({ timestamp });
    app.shown.push(code);
    const body = { challenge_id: random() < 0.8 ? app.challenges.at(-1) : pick(app.challenges), code };
    const answer = await call('verify', 'POST', `/factors/${app.id}/verify`, session.access, body);
    if (answer.status === 200) spend(`${code} of ${app.id}`);
    keepTokens(session, answer);
  },
  'add key': async (person, session) => {
    const body = { factor_type: 'webauthn', friendly_name: `key ${random()}` };
    const { status, body: made } = await call('add key', 'POST', '/factors', session.access, body);
    if (status !== 200) return;
    const key = { id: String(made['id']), authenticator: new SoftwareAuthenticator(ORIGIN), answers: [] };
    person.keys = [...person.keys, key].slice(-MOST);
  },
  'show key': async (person, session) => {
    const key = draw(person.keys);
    if (!key) return;
    const site = { rpId: 'www.example.com', rpOrigins: [ORIGIN] };
    const path = `/factors/${key.id}/challenge`;
    const begun = random() < 0.9 && (await call('challenge', 'POST', path, session.access, { webauthn: site }));
    if (begun && begun.status === 200) {
      const { type, credential_options: options } = begun.body['webauthn'] as {
        readonly type: 'create' | 'request';
        readonly credential_options: { readonly publicKey: KeyOptions };
      };
      const { authenticator } = key;
      if (type === 'request' && authenticator.credential === undefined) return;
      const response =
        type === 'create' ? authenticator.create(options.publicKey) : authenticator.get(options.publicKey);
      const webauthn = { type, ...site, credential_response: response };
      key.answers.push(Object.assign({ challenge_id: String(begun.body['id']) }, { webauthn }));
    }
    const body = drawAnswer(key);
    if (!body) return;
    const answer = await call('show key', 'POST', `/factors/${key.id}/verify`, session.access, body);
    if (answer.status === 200) spend(`the challenge ${body.challenge_id}`);
    keepTokens(session, answer);
  },
  'add passkey': async (person, session) => {
    const begun = await call('begin passkey', 'POST', '/passkeys/registration/options', session.access, {});
    if (begun.status !== 200) return;
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const body = {
      challenge_id: begun.body['challenge_id'],
      credential: authenticator.create(begun.body['options'] as KeyOptions),
    };
    const answer = await call('add passkey', 'POST', '/passkeys/registration/verify', session.access, body);
    if (answer.status !== 200) return;
    person.passkeys = [...person.passkeys, { id: String(answer.body['id']), authenticator, answers: [] }].slice(-MOST);
  },
  'sign in with passkey': async (person) => {
    const passkey = draw(person.passkeys);
    if (!passkey) return;
    const begun = random() < 0.9 && (await call('begin passkey', 'POST', '/passkeys/authentication/options', '', {}));
    if (begun && begun.status === 200) {
      const credential = passkey.authenticator.get(begun.body['options'] as KeyOptions);
      passkey.answers.push(Object.assign({ challenge_id: String(begun.body['challenge_id']) }, { credential }));
    }
    const body = drawAnswer(passkey);
    if (!body) return;
    const answer = await call('sign in with passkey', 'POST', '/passkeys/authentication/verify', '', body);
    if (answer.status === 200) spend(`the challenge ${body.challenge_id}`);
    keepSession(person, answer);
  },
  'remove passkey': async (person, session) => {
    const passkey = pick(person.passkeys);
    if (passkey) await call('remove passkey', 'DELETE', `/passkeys/${passkey.id}`, session.access);
  },
  'sign in at the provider': signInAtProvider,
  'link at the provider': async (person, session) => {
    const idToken = await idTokenOf(`${person.id} ${Math.floor(random() * 2)}`, here.newEmail());
    const body = { provider: PROVIDER, id_token: idToken, link_identity: true };
    const answer = await call('link at the provider', 'POST', '/token?grant_type=id_token', session.access, body);
    keepSession(person, answer);
    if (answer.status !== 200) return;
    const { identities } = answer.body['user'] as {
      readonly identities: readonly { readonly identity_id: string; readonly provider: string }[];
    };
    person.identities = identities.filter(({ provider: name }) => name === PROVIDER).map((one) => one.identity_id);
  },
  unlink: async (person, session) => {
    const id = pick(person.identities);
    if (id !== undefined) await call('unlink', 'DELETE', `/user/identities/${id}`, session.access);
  },
  'remove factor': async (person, session, app) => {
    const factor = random() < 0.3 ? pick(person.keys) : app;
    if (factor) await call('remove factor', 'DELETE', `/factors/${factor.id}`, session.access);
  },
  'remove factor of a program': async (person, _session, app) => {
    const path = `/admin/users/${person.id}/factors/${app?.id}`;
    if (app) await call('remove factor of a program', 'DELETE', path, serviceToken);
  },
  'make recovery codes': async (person, session) => {
    const path = `/factors/recovery-codes${random() < 0.5 ? '' : '/regenerate'}`;
    const { status, body } = await call('make recovery codes', 'POST', path, session.access, {});
    if (status === 200) person.recoveryCodes = [...(body['codes'] as string[]), ...person.recoveryCodes].slice(0, 12);
  },
  'recovery code': async (person, session) => {
    const code = pick(person.recoveryCodes);
    if (code === undefined) return;
    const answer = await call('recovery code', 'POST', '/factors/recovery-codes/verify', session.access, { code });
    if (answer.status === 200) spend(`${code} of ${person.id}`);
    keepTokens(session, answer);
  },
  'remove recovery codes': async (_person, session) => {
    await call('remove recovery codes', 'DELETE', '/factors/recovery-codes', session.access);
  },
  'sign out': async (_person, session) => {
    const scope = pick(['local', 'others', 'global']);
    await call('sign out', 'POST', `/logout?scope=${scope}`, session.access);
  },
  'delete account': async ({ id }) => {
    await call('delete account', 'DELETE', `/admin/users/${id}`, serviceToken, { should_soft_delete: random() < 0.5 });
  },
};

/** Actions as often as their weight says: what ends things is rare, or nothing would be left to end. */
const DRAWN = Object.entries({
  'sign in': 3,
  refresh: 6,
  enroll: 4,
  challenge: 8,
  verify: 12,
  'add key': 2,
  'show key': 8,
  'add passkey': 3,
  'sign in with passkey': 2.5,
  'remove passkey': 1,
  'sign in at the provider': 0.2,
  'link at the provider': 0.8,
  unlink: 1,
  'remove factor': 2,
  'remove factor of a program': 1,
  'make recovery codes': 4,
  'recovery code': 5,
  'remove recovery codes': 1,
  'sign out': 1,
  'delete account': 0.6,
}).flatMap(([name, weight]) => Array.from({ length: Math.ceil(weight * 10) }, () => name));

async function newPerson(): Promise<Person> {
  const email = here.newEmail();
  const { body } = await call('sign up', 'POST', '/signup', '', { email, password: PASSWORD });
  const session: Session = { access: String(body['access_token']), refresh: [String(body['refresh_token'])] };
  const nothing = { apps: [], keys: [], passkeys: [], identities: [], recoveryCodes: [] };
  return { id: String(payloadOf(session.access)['sub']), email, sessions: [session], ...nothing };
}

/** What the rows say that must not be, whoever made it so. */
async function inspect(): Promise<void> {
  const above = await database.query<{ id: string }>(
    `select s.id from auth.sessions s where s.aal = 'aal2' and not exists (
         select from auth.mfa_factors f where f.id = s.factor_id and f.user_id = s.user_id and f.status = 'verified')
       union all select f.id from auth.mfa_factors f where f.factor_type = 'recovery_code' and not exists (
         select from auth.mfa_factors a where a.user_id = f.user_id and a.factor_type <> 'recovery_code'
           and a.status = 'verified')`,
  );
  for (const { id } of above.rows) harm.push(`${id} is above what its factors allow`);
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
  const [origin] = (pick(urls) ?? '').split('/auth/');
  const { status } = await fetch(`${origin}/api/me`, { headers: { authorization: `Bearer ${session.access}` } });
  const isExpired = Number(payloadOf(session.access)['exp']) * 1000 <= now;
  const expected = known.rows[0]?.is_good && !isExpired ? 200 : 401;
  if (status !== expected) harm.push(`/api/me was answered ${status} instead of ${expected}`);
}

it(`${INTERLEAVINGS} interleavings of calls in two processes leave no session above what its factors allow`, async () => {
  people = await Promise.all(Array.from({ length: PEOPLE }, newPerson));
  for (let round = 0; round < INTERLEAVINGS && harm.length === 0; round += 1) {
    now += Math.floor(random() * 30_000);
    tellTime();
    const place = Math.floor(random() * PEOPLE);
    const person = people[place];
    if (!person) continue;
    const calls = Array.from({ length: 1 + Math.floor(random() * AT_ONCE) }, () => pick(DRAWN) ?? '');
    await Promise.all(
      calls.map(async (name) => {
        await ACTIONS[name]?.(person, draw(person.sessions) ?? { access: '', refresh: [] }, draw(person.apps));
      }),
    );
    await inspect();
    await tryToEnter(person);
    const { status } = await call('read account', 'GET', `/admin/users/${person.id}`, serviceToken);
    if (status === 404) people[place] = await newPerson();
    else if (person.sessions.length === 0 || random() < 0.1) await signIn(person);
  }
  expect(harm).toEqual([]);
  const good = [...counts.keys()].filter((key) => / 20[04]$/.test(key)).map((key) => key.slice(0, -4));
  // A few of them leave some out by chance.
  expect(good).toContain('verify');
  if (isLong)
    expect(new Set(good)).toEqual(new Set([...Object.keys(ACTIONS), 'begin passkey', 'sign up', 'read account']));
});
