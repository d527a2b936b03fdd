import type { ProviderConfig } from '../../config/auth-config.js';
import { KNOWN_PROVIDERS } from '../../shared/providers.js';
import type { IdTokenBody } from '../api/request-bodies.js';
import { AuthError, invalid, OAuthError } from '../auth.error.js';

/** The issuers of ID tokens that the protocol names; that of Keycloak is a setting, which is empty. */
const ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
  keycloak: '',
  snapchat: 'https://accounts.snapchat.com/accounts/oauth2/token',
  vercel_marketplace: 'https://marketplace.vercel.com',
};

/** Providers with several issuers, of which the token itself names one. */
const SEVERAL_ISSUERS = {
  apple: { title: 'Apple', pattern: /^https:\/\/(?:appleid|account)\.apple\.com$/ },
  azure: {
    title: 'Azure',
    pattern: /^https:\/\/(?:login\.microsoftonline|[a-z0-9-]+\.ciamlogin)\.com\/[^/]+\/v2\.0\/?$/,
  },
} as const;

/** The members of a sign-in with an ID token that name the provider. */
export type IdTokenRequest = Pick<IdTokenBody, 'provider' | 'id_token' | 'client_id' | 'issuer'>;

/** Returns true when the configured provider is meant, by its name for clients, or by its issuer. */
export function isConfiguredFor(request: IdTokenRequest, provider: ProviderConfig): boolean {
  const { id, issuer } = provider;
  if (request.provider !== '') return [id, issuer].includes(request.provider);
  return request.issuer === issuer && clientIdsOf(provider).includes(request.client_id);
}

/** The ids for which the provider makes ID tokens that clients bring: that of this site, and those of applications. */
export function clientIdsOf({ clientId, appClientIds }: ProviderConfig): string[] {
  return [clientId, ...appClientIds];
}

/** The refusal of a provider to which nobody can be sent (auth-api.md 7.1). */
export function unsupportedProvider(provider: string | undefined): AuthError {
  const name = (provider ?? '').toLowerCase();
  const reason = KNOWN_PROVIDERS.includes(name) ? 'provider is not enabled' : `Provider ${name} could not be found`;
  return invalid(`Unsupported provider: ${reason}`);
}

/** The refusal of an ID token (auth-api.md 7.2). */
export function refusedIdToken({ provider, id_token: token, client_id: client, issuer }: IdTokenRequest): AuthError {
  if (token === '') return new OAuthError('invalid request', 'id_token required');
  if (provider === '' && (client === '' || issuer === '')) {
    return new OAuthError('invalid request', 'provider or client_id and issuer required');
  }
  for (const [name, { title, pattern }] of Object.entries(SEVERAL_ISSUERS)) {
    if (provider !== name && !pattern.test(issuer)) continue;
    const detected = readIssuer(token);
    if (detected === null) return invalid(`Unable to detect issuer in ID token for ${title} provider`);
    if (pattern.test(detected)) return disabled(detected);
    return invalid(`Detected ID token issuer is not an ${title} ID token issuer`);
  }
  const known = Object.entries(ISSUERS).find(([name, own]) => name === provider || (own !== '' && own === issuer));
  if (known !== undefined) return disabled(known[1]);
  const quoted = JSON.stringify(provider);
  if (provider.startsWith('custom:')) return invalid(`Custom provider ${quoted} not found`);
  return invalid(`Custom OIDC provider ${quoted} not allowed`);
}

function disabled(issuer: string): AuthError {
  return new AuthError(400, 'provider_disabled', `Provider (issuer ${JSON.stringify(issuer)}) is not enabled`);
}

/** Returns the issuer that a token claims, unverified, or null when it cannot be read. */
function readIssuer(token: string): string | null {
  const [, payload = ''] = token.split('.');
  try {
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly iss?: unknown };
    return typeof iss === 'string' ? iss : null;
  } catch {
    return null;
  }
}
