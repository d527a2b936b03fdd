import * as oidc from 'openid-client';
import type { ProviderConfig } from '../../config/auth-config.js';
import { PROVIDER_CALL_MS } from '../../config/time-limits.js';

/**
 * Reads the metadata of the provider (OpenID Connect Discovery). Its address may be a private one: the operator has
 * named it.
 * @throws when it does not answer, or when its metadata name another issuer
 */
export async function discoverProvider(provider: ProviderConfig): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const isPlain = issuer.startsWith('http:');
  const timeout = PROVIDER_CALL_MS / 1000;
  const execute = isPlain ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), { timeout, execute });
  const metadata = found.serverMetadata();
  // The library compares addresses without regard to their last slash; ID tokens are compared with it.
  if (metadata.issuer !== issuer) throw new Error(`The metadata name the issuer ${metadata.issuer}, not ${issuer}`);
  const client = new oidc.Configuration(metadata, clientId, undefined, authenticationOf(clientSecret, metadata));
  client.timeout = timeout;
  if (isPlain) oidc.allowInsecureRequests(client);
  // The signature is checked too, where TLS would do.
  oidc.enableNonRepudiationChecks(client);
  return client;
}

/** The way that every provider has to know, unless it names others (OpenID Connect Discovery, section 3). */
function authenticationOf(secret: string | undefined, metadata: oidc.ServerMetadata): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}
