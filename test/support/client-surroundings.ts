import type { AuthClient, GoTrueClientOptions } from '@supabase/auth-js';
import type { Client } from './auth-server.js';
import type { Surroundings } from './client-chapters.js';

/** The members of the surroundings that work in Node only; a page asks for them. */
export type Helpers = Omit<Surroundings, 'newClient' | 'hasten' | 'good' | 'same' | 'serviceToken'>;

/** Names of methods, as `mfa.enroll`, that the client has for its users. */
const PARTS = ['mfa', 'admin', 'oauth', 'passkey', 'customProviders', 'webauthn', 'recoveryCodes'];
/** Methods that are inside of others, or of the transport. */
const INSIDE = /(?:^|\.)(?:logger|fetch|fetchJwk|signInWith(?:Ethereum|Solana)|linkIdentity(?:OAuth|IdToken))$/;

/** All methods that a client has, those of its parts as `mfa.enroll`. */
export function methodsOf(client: object, path = ''): string[] {
  const names = new Set<string>();
  for (let level = client; level !== Object.prototype; level = Object.getPrototypeOf(level) as object) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  return [...names]
    .filter((name) => !name.startsWith('_') && name !== 'constructor' && !INSIDE.test(name))
    .flatMap((name) => {
      const value = (client as Record<string, unknown>)[name];
      if (typeof value === 'function') return [path + name];
      return PARTS.includes(name) ? methodsOf(value as object, `${path}${name}.`) : [];
    });
}

/**
 * Makes the surroundings of chapters, in Node and in a page alike: its text is sent there, and knows nothing beside it.
 * @param called gets the names of the methods that chapters call
 */
export function surround(
  Constructor: typeof AuthClient,
  url: string,
  serviceToken: string,
  helpers: Helpers,
  called: Set<string>,
): Surroundings {
  const stores = new Map<unknown, Map<string, string>>();
  const noting = <T extends object>(target: T, path: string): T =>
    new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        const key = `${path}${String(name)}`;
        if (typeof value === 'function') {
          return (...parameters: unknown[]) => {
            called.add(key);
            return (value as (...all: unknown[]) => unknown).apply(object, parameters);
          };
        }
        return typeof value === 'object' && value !== null ? noting(value, `${key}.`) : value;
      },
    });
  const newClient = (options: Partial<GoTrueClientOptions> = {}): Client => {
    const items = new Map<string, string>();
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    };
    const client = new Constructor({
      url,
      storage,
      storageKey: `chapter-${Math.random()}`,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      experimental: { recoveryCodes: true, passkey: true },
      ...options,
    });
    const noted = noting(client, '');
    stores.set(noted, items);
    return noted;
  };
  return {
    ...helpers,
    newClient,
    serviceToken,
    hasten: (client) => {
      for (const [key, text] of stores.get(client) ?? []) {
        const session = JSON.parse(text) as { expires_at?: number };
        if (session.expires_at === undefined) continue;
        stores.get(client)?.set(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }));
      }
    },
    good: ({ data, error }) => {
      if (error !== null) throw error as Error;
      return data;
    },
    same: (actual, expected) => {
      const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
      if (left !== right) throw new Error(`${left} instead of ${right}`);
    },
  };
}
