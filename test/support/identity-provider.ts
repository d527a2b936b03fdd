import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, SignJWT, type JWTPayload } from 'jose';
import Provider from 'oidc-provider';
import { onCleanup } from './cleanup.js';
import { listenOnReservedPort } from './reserved-port.js';

export const CLIENT_ID = 'the-site';
export const CLIENT_SECRET = 'what-the-site-and-its-provider-know';

/** Somebody whom the provider knows: claims beside `sub`. */
export type KnownPerson = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on this machine. Whoever `login_hint` names has signed in there. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Everybody it knows, by `sub`. */
  readonly people: Map<string, KnownPerson>;
  /** Signs in without a `login_hint`; null refuses. */
  guest: string | null;
  /** The answer of its token endpoint in place of its own: an ID token made of the claims that would be right. */
  forge: ((claims: JWTPayload) => Promise<string>) | null;
  /** The answer of its userinfo endpoint in place of its own. */
  told: KnownPerson | null;
  /** Paths whose calls it never answers, or with an error. */
  readonly silent: Set<string>;
  readonly broken: Set<string>;
  /** The paths that were called, in order. */
  readonly calls: string[];
  /** Signs an ID token as it does. */
  sign(claims: JWTPayload): Promise<string>;
}

type Stored = Record<string, unknown>;

/** Keeps what the provider has to remember; that of its package says that nobody should use it. */
class Memory {
  private static readonly kept = new Map<string, Stored>();

  constructor(private readonly kind: string) {}

  upsert = (id: string, payload: Stored) => Promise.resolve(void Memory.kept.set(this.key(id), payload));
  find = (id: string) => Promise.resolve(Memory.kept.get(this.key(id)));
  findByUid = (uid: string) => Promise.resolve([...Memory.kept.values()].find((stored) => stored['uid'] === uid));
  findByUserCode = () => Promise.resolve(undefined);
  consume = async (id: string) => void Object.assign((await this.find(id)) ?? {}, { consumed: 1 });
  destroy = (id: string) => Promise.resolve(void Memory.kept.delete(this.key(id)));
  revokeByGrantId = () => Promise.resolve();

  private key(id: string): string {
    return `${this.kind} ${id}`;
  }
}

/** Starts a provider. @param redirectUri where its client has its callback */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'first', use: 'sig' };
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  const issuer = `http://127.0.0.1:${await listenOnReservedPort(server)}`;
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  const people = new Map<string, KnownPerson>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key] },
    adapter: Memory,
    cookies: { keys: ['cookies of the provider'] },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    findAccount: (_context: unknown, sub: string) => {
      const claims = people.get(sub);
      return claims === undefined ? undefined : { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  });
  const sign = async (claims: JWTPayload) =>
    await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(privateKey);
  const own: IdentityProvider = {
    issuer,
    people,
    guest: null,
    forge: null,
    told: null,
    silent: new Set(),
    broken: new Set(),
    calls: [],
    sign,
  };
  let asked: { readonly sub: string; readonly nonce: string | null } = { sub: '', nonce: null };
  const answer = provider.callback();

  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { params } = await provider.interactionDetails(request, response);
    const sub = params['login_hint'] ?? own.guest;
    if (sub === null) {
      const refusal = { error: 'access_denied', error_description: 'End-User aborted interaction' };
      return await provider.interactionFinished(request, response, refusal);
    }
    const grant = new provider.Grant({ accountId: sub, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email profile');
    const result = { login: { accountId: sub }, consent: { grantId: await grant.save() } };
    return await provider.interactionFinished(request, response, result);
  };
  const forge = async (make: NonNullable<IdentityProvider['forge']>, response: ServerResponse) => {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 600, groups: [], ...asked };
    const token = { access_token: 'x', token_type: 'Bearer', expires_in: 600, id_token: await make(right) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(token));
  };
  handle = (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    own.calls.push(url.pathname);
    if (own.silent.has(url.pathname)) return;
    if (own.broken.has(url.pathname)) return void response.writeHead(500).end();
    const { searchParams } = url;
    if (url.pathname === '/auth' && searchParams.has('client_id')) {
      asked = { sub: searchParams.get('login_hint') ?? own.guest ?? '', nonce: searchParams.get('nonce') };
    }
    if (url.pathname.startsWith('/interaction/')) return void signIn(request, response);
    if (url.pathname === '/me' && own.told !== null) {
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(own.told));
    }
    if (url.pathname === '/token' && own.forge !== null) return void forge(own.forge, response);
    void answer(request, response);
  };
  return own;
}

/** A browser without a screen: it follows redirects and keeps cookies. */
export class Wanderer {
  private readonly cookies = new Map<string, { readonly value: string; readonly isStrict: boolean }>();

  /** @param places the addresses that servers have here, by those that they are known by */
  constructor(private readonly places: Readonly<Record<string, string>>) {}

  /** Follows an address until it leads away from these places, or to a page, and returns where that is. */
  async follow(address: string): Promise<URL> {
    const { origin } = new URL(address);
    let hasCrossed = false;
    for (let url = new URL(address), step = 0; step < 20; step += 1) {
      hasCrossed ||= url.origin !== origin;
      const answer = await this.open(url.href, {}, hasCrossed);
      const location = answer.headers.get('location');
      if (location === null) return url;
      url = new URL(location, url);
      if (this.places[url.origin] === undefined) return url;
    }
    throw new Error(`${address} leads in circles`);
  }

  /** The address to which the first answer leads whose path is not one of the provider's. */
  async followTo(address: string, path: string): Promise<URL> {
    for (let url = new URL(address), step = 0; step < 20; step += 1) {
      if (url.pathname.endsWith(path)) return url;
      const location = (await this.open(url.href)).headers.get('location');
      if (location === null) throw new Error(`${url.href} leads nowhere`);
      url = new URL(location, url);
    }
    throw new Error(`${address} leads in circles`);
  }

  /** The cookie of an origin whose name begins like that. */
  cookie(origin: string, start: string): string | undefined {
    return [...this.cookies].find(([key]) => key.startsWith(`${origin} ${start}`))?.[1].value;
  }

  /** One call, with the cookies of its origin; those that are strict not where another site has led here. */
  async open(address: string, init: RequestInit = {}, isFromElsewhere = false): Promise<Response> {
    const { origin, pathname, search } = new URL(address);
    const cookie = [...this.cookies].flatMap(([key, { value, isStrict }]) => {
      const [place = '', name = ''] = key.split(' ');
      return place === origin && !(isStrict && isFromElsewhere) ? [`${name}=${value}`] : [];
    });
    const headers = { ...(init.headers as Record<string, string>), cookie: cookie.join('; ') };
    const there = `${this.places[origin] ?? origin}${pathname}${search}`;
    const answer = await fetch(there, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(`${origin} ${name}`);
      else this.cookies.set(`${origin} ${name}`, { value, isStrict: /samesite=strict/i.test(line) });
    }
    return answer;
  }
}
