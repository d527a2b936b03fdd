import { discoverProvider } from '../auth/external/oidc-provider.service.js';
import type { Config } from '../config/config.js';
import { describeError, fail, ok, warn, type Statement } from './finding.js';

/** Reads the metadata of the provider that people can sign in with, which have to name the issuer that is configured. */
export async function checkProvider({ auth, mode }: Config): Promise<Statement> {
  const { provider, externalUrl } = auth;
  if (provider === null) return ok('nobody signs in with a provider, as none is configured');
  const { issuer } = provider;
  try {
    await discoverProvider(provider);
  } catch (error) {
    const isOther = (error as { readonly code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    const problem = isOther ? 'its metadata name another issuer' : describeError(error);
    const advice =
      'Set AUTH_OIDC_ISSUER to what "issuer" is in the metadata, to the letter, and see that the provider runs.';
    return fail(`${issuer}: ${problem}`, advice);
  }
  const sentence = `${issuer} answers; its redirect URI for this site is ${externalUrl}/callback`;
  const isPlain = mode === 'production' && issuer.startsWith('http:');
  return isPlain
    ? warn(sentence, 'Reach the provider by https: over http, others read the secret of the client.')
    : ok(sentence);
}
