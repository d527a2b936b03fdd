import { TOTP } from 'otpauth';
import { Clock } from '../../src/shared/clock.js';
import { PASSWORD, type AuthServer, type Client, type RawAnswer } from './auth-server.js';
import { payloadOf } from './sign-token.js';

/** An authenticator app with one factor of somebody. */
export interface Authenticator {
  readonly factorId: string;
  readonly secret: string;
  /** The code that it shows now, or so many steps of 30 seconds later. */
  code(steps?: number): string;
}

/** Adds an authenticator app to the account of a client, unverified. */
export async function enrollTotp(server: AuthServer, client: Client, friendlyName?: string): Promise<Authenticator> {
  const { data, error } = await client.mfa.enroll({
    factorType: 'totp',
    ...(friendlyName === undefined ? {} : { friendlyName }),
  });
  if (error) throw error;
  return authenticatorOf(server, data.id, data.totp.secret);
}

/** An authenticator app that was told a secret. */
export function authenticatorOf(server: AuthServer, factorId: string, secret: string): Authenticator {
  const now = () => server.app.get(Clock).now().getTime();
  return {
    factorId,
    secret,
    code: (steps = 0) => new TOTP({ secret }).generate({ timestamp: now() + steps * 30_000 }),
  };
}

/** Goes to the begin of the next step of 30 seconds, so that what follows happens in one step. */
export function beginStep(server: AuthServer): void {
  server.advance(30 - (server.app.get(Clock).now().getTime() % 30_000) / 1000);
}

/** Shows the present code of an authenticator app, in a step of its own. */
export async function showTotp(server: AuthServer, client: Client, { factorId, code }: Authenticator): Promise<void> {
  server.advance(31);
  const { error } = await client.mfa.challengeAndVerify({ factorId, code: code() });
  if (error) throw error;
}

/** A client that somebody has signed in with, at aal1. */
export async function signInAs(server: AuthServer, email: string): Promise<Client> {
  const client = server.client();
  const { error } = await client.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

/** Someone with a verified authenticator app, signed in at aal2. */
export async function newSecuredPerson(server: AuthServer) {
  const email = await server.newPerson();
  const client = await signInAs(server, email);
  const app = await enrollTotp(server, client, 'app');
  await showTotp(server, client, app);
  return { email, client, app };
}

/** The access token that a client has now. */
export async function accessTokenOf(client: Client): Promise<string> {
  return (await client.getSession()).data.session?.access_token ?? '';
}

/** The claims of that token. */
export async function claimsOf(client: Client): Promise<Record<string, unknown>> {
  return payloadOf(await accessTokenOf(client));
}

/** A call with the token of a client that the client itself would not make like that. */
export async function callAs(
  server: AuthServer,
  client: Client,
  path: string,
  body: unknown,
  ip = '192.0.2.1',
  method = 'POST',
): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${await accessTokenOf(client)}`, 'x-forwarded-for': ip };
  return await server.call(path, { method, headers, body });
}
