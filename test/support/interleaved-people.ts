import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { PASSWORD } from './auth-server.js';
import { CLIENT_ID, type IdentityProvider } from './identity-provider.js';
import { PROPERTY_SEED } from './property-seed.js';
import { randomNumbers } from './random-numbers.js';
import { payloadOf } from './sign-token.js';
import type { SoftwareAuthenticator } from './software-authenticator.js';

/** The name of the provider for clients. */
export const PROVIDER = 'custom:oidc';
/** The passwords that people have at one time or another. */
export const PASSWORDS = [PASSWORD, 'another horse 8'];
/** The most that somebody holds of each kind: few of them meet more often. */
export const MOST = 3;

export interface Session {
  access: string;
  /** The last one is good, those before it were. */
  readonly refresh: string[];
}

export interface App {
  readonly id: string;
  readonly secret: string;
  readonly challenges: string[];
  readonly shown: string[];
}

/** A security key or a passkey, with all that it answered. */
export interface Key {
  readonly id: string;
  readonly authenticator: SoftwareAuthenticator;
  readonly answers: { readonly challenge_id: string }[];
}

/** The members of options for a browser that keys look at. */
export type KeyOptions = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** Someone, and all that they were ever given: what is good no more is shown as well. */
export interface Person {
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

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The servers that are called, and what came of it. */
export interface Woven {
  /** Addresses of the API of accounts in two processes over one database and with one clock. */
  urls: readonly string[];
  serviceToken: string;
  provider: IdentityProvider;
  newEmail: () => string;
  /** The time of the servers, in milliseconds since 1970. */
  now: number;
  people: Person[];
  /** Everything that must not be, in words. */
  readonly harm: string[];
  /** How often each call was answered with each status. */
  readonly counts: Map<string, number>;
}

/** Those of the test that runs; it fills in what is missing before the first call. */
export const woven = { urls: [], people: [], harm: [], counts: new Map(), now: Date.now() } as unknown as Woven;

/** Codes that were taken, with what they are good for. */
const taken = new Set<string>();

export const random = randomNumbers(PROPERTY_SEED);
export const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

/** The newest more often than others. */
export const draw = <T>(list: readonly T[]): T | undefined => (random() < 0.5 ? list.at(-1) : pick(list));

/** Calls one of the two processes; nothing may end in an error of theirs. */
export async function call(
  title: string,
  method: string,
  path: string,
  bearer: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(`${pick(woven.urls)}${path}`, {
    method,
    headers: { 'x-supabase-api-version': '2024-01-01', authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const key = `${title} ${answer.status}`;
  woven.counts.set(key, (woven.counts.get(key) ?? 0) + 1);
  const found = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {};
  forget(bearer, path, found['code']);
  if (answer.status >= 500) woven.harm.push(`${title} was answered ${answer.status}: ${text}`);
  return { status: answer.status, body: found };
}

/** Most of what is gone is not shown again, or little else would be. */
function forget(bearer: string, path: string, code: unknown): void {
  if (random() < 0.2) return;
  for (const person of woven.people) {
    if (code === 'session_not_found') person.sessions = person.sessions.filter(({ access }) => access !== bearer);
    if (code !== 'mfa_factor_not_found') continue;
    person.apps = person.apps.filter(({ id }) => !path.includes(id));
    person.keys = person.keys.filter(({ id }) => !path.includes(id));
  }
}

export function keepTokens(session: Session, { status, body }: Answer): void {
  if (status !== 200) return;
  session.access = String(body['access_token']);
  session.refresh.push(String(body['refresh_token']));
}

/** Notes that a code was taken, which none may be twice. */
export function spend(code: string): void {
  if (taken.has(code)) woven.harm.push(`${code} was taken twice`);
  taken.add(code);
}

export async function signIn(person: Person): Promise<void> {
  for (const password of PASSWORDS) {
    const body = { email: person.email, password };
    const answer = await call('sign in', 'POST', '/token?grant_type=password', '', body);
    keepSession(person, answer);
    if (answer.status !== 400) return;
  }
  // The provider has given the account to the owner of its address, without the password.
  await signInAtProvider(person);
}

export async function signInAtProvider(person: Person): Promise<void> {
  const body = { provider: PROVIDER, id_token: await idTokenOf(person.id, person.email) };
  keepSession(person, await call('sign in at the provider', 'POST', '/token?grant_type=id_token', '', body));
}

/** A token by which the provider vouches for the address. */
export async function idTokenOf(sub: string, email: string): Promise<string> {
  const [iat, exp] = [Math.floor(Date.now() / 1000), Math.floor(woven.now / 1000) + 7200];
  return await woven.provider.sign({
    iss: woven.provider.issuer,
    aud: CLIENT_ID,
    sub,
    iat,
    exp,
    email,
    email_verified: true,
  });
}

export function keepSession(person: Person, answer: Answer): void {
  const session: Session = { access: '', refresh: [] };
  keepTokens(session, answer);
  if (session.refresh.length > 0) person.sessions = [...person.sessions, session].slice(-MOST);
}

/** The last answer of a key more often than one from before, which no server may take twice. */
export const drawAnswer = ({ answers }: Key) => (random() < 0.8 ? answers.at(-1) : pick(answers));

export async function newPerson(): Promise<Person> {
  const email = woven.newEmail();
  const { body } = await call('sign up', 'POST', '/signup', '', { email, password: PASSWORD });
  const session: Session = { access: String(body['access_token']), refresh: [String(body['refresh_token'])] };
  const nothing = { apps: [], keys: [], passkeys: [], identities: [], recoveryCodes: [] };
  return { id: String(payloadOf(session.access)['sub']), email, sessions: [session], ...nothing };
}
