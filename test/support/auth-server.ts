import { AuthClient, type GoTrueClientOptions } from '@supabase/auth-js';

import { PasswordsService, type HashCost } from '../../src/auth/passwords/passwords.service.js';
import { Clock } from '../../src/shared/clock.js';
import { createTestApp, type TestApp } from './create-test-app.js';
import type { Variables } from './environment.js';
import { Mailbox } from './mailbox.js';

/** The published client. */
export type Client = InstanceType<typeof AuthClient>;

/** A password that nothing is wrong with. */
export const PASSWORD = 'correct horse 7';

/** An answer without what the client makes of it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A real server, what talks to it, and what it mails. */
export interface AuthServer {
  readonly app: TestApp;
  /** Address of the API of accounts. */
  readonly url: string;
  readonly mailbox: Mailbox;
  /** A new client, as another browser would have it. */
  client(options?: Partial<GoTrueClientOptions>): Client;
  /** A call that the client would not make like that. */
  call(path: string, init?: CallOptions): Promise<RawAnswer>;
  /** Lets time pass for the server, which it does not by itself. */
  advance(seconds: number): void;
  /** An address that nobody has. */
  newEmail(): string;
  /** Someone who signed up and confirmed, and has no session. */
  newPerson(): Promise<string>;
}

/** The parts of a call; a body that is no text is sent as JSON. */
export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** No limits on requests: tests make more of them than a person. */
const WITHOUT_LIMITS: Variables = Object.fromEntries(
  ['SIGNUP', 'OTP', 'MAGICLINK', 'RECOVER', 'RESEND', 'USER', 'TOKEN', 'VERIFY', 'ANONYMOUS', 'MAIL', 'FACTOR'].map(
    (name) => [`AUTH_RATE_LIMIT_${name}`, '0'],
  ),
);

/** Hashes as the product makes them are most of what tests of accounts cost; HASH_COST puts their cost back. */
const LIGHT_HASHES: HashCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

let count = 0;
const started: AuthServer[] = [];

/** Ends all servers now, where each test of a file has its own: together they would need too many connections. */
export async function closeAuthServers(): Promise<void> {
  await Promise.all(started.splice(0).map(({ app }) => app.close()));
}

/** Starts a server; `limits` keeps the limits on requests at their defaults. */
export async function startAuthServer(
  overrides: Variables = {},
  limits: 'none' | 'default' = 'none',
): Promise<AuthServer> {
  const app = await createTestApp({ ...(limits === 'none' ? WITHOUT_LIMITS : {}), ...overrides });
  const url = `${await app.listen()}${app.config.auth.basePath}`;
  app.get(PasswordsService).cost = LIGHT_HASHES;
  const mailbox = new Mailbox(app);
  // It goes by a millisecond whenever somebody looks, however long the machine takes for what is done in between.
  // Not a spy: those end with each test.
  let now = Date.now();
  app.get(Clock).now = () => new Date((now += 1));
  const client: AuthServer['client'] = (options = {}) => newClient(url, options);
  const newEmail = () => `somebody-${(count += 1)}@example.com`;
  const server: AuthServer = {
    app,
    url,
    mailbox,
    client,
    call: (path, init) => call(`${url}${path}`, init),
    advance: (seconds) => void (now += seconds * 1000),
    newEmail,
    newPerson: async () => {
      const email = newEmail();
      await client().signUp({ email, password: PASSWORD });
      const { otp } = await mailbox.read(email);
      const { error } = await client().verifyOtp({ email, token: otp, type: 'signup' });
      if (error) throw error;
      return email;
    },
  };
  started.push(server);
  return server;
}

function newClient(url: string, options: Partial<GoTrueClientOptions>): Client {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  // Clients share the keys they have seen under this name.
  const storageKey = `client-${(count += 1)}`;
  const headers = { apikey: 'anon' };
  const experimental = { recoveryCodes: true };
  return new AuthClient({ url, headers, storage, storageKey, autoRefreshToken: false, experimental, ...options });
}

async function call(url: string, { method = 'GET', body, headers = {} }: CallOptions = {}): Promise<RawAnswer> {
  const answer = await fetch(url, {
    method,
    headers: { 'x-supabase-api-version': '2024-01-01', ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? (JSON.parse(text) as RawAnswer['body']) : {},
  };
}
