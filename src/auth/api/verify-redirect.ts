import { OAuthError, type AuthError } from '../auth.error.js';
import { HALF_CONFIRMED, type Verified } from '../codes/verification.service.js';

/** The names that OAuth has for these statuses. */
const OAUTH_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Returns the target of an accepted link, with tokens in the fragment or a code in the query. */
export function successTarget(address: string, verified: Verified, type?: string): string {
  switch (verified.kind) {
    case 'code': {
      const url = new URL(address);
      url.searchParams.set('code', verified.code);
      return url.href;
    }
    case 'half':
      return withFragment(address, { message: HALF_CONFIRMED });
    case 'session': {
      const { access_token, refresh_token, expires_at, expires_in, token_type } = verified.tokens;
      return withFragment(address, {
        access_token,
        refresh_token,
        expires_at: String(expires_at),
        expires_in: String(expires_in),
        token_type,
        ...(type === undefined ? {} : { type }),
      });
    }
  }
}

/** Returns the target of a refused link. A client that waits for a code reads the query. */
export function errorTarget(address: string, error: AuthError, isPkce: boolean): string {
  const members = membersOf(error);
  if (!isPkce) return withFragment(address, members);
  const url = new URL(address);
  for (const [key, value] of Object.entries(members)) url.searchParams.set(key, value);
  return withFragment(url.href, members);
}

function membersOf(error: AuthError): Readonly<Record<string, string>> {
  // The words of a provider have no code of this protocol.
  if (error instanceof OAuthError) return { error: error.error, error_description: error.description };
  const name = OAUTH_ERRORS[error.getStatus()];
  return {
    ...(name === undefined ? {} : { error: name }),
    error_code: error.code,
    error_description: error.message,
  };
}

/** Returns the target alone. Letters of other scripts are written as browsers send them: no header can hold them. */
export function plainTarget(address: string): string {
  return address.replace(/#.*$/, '').replaceAll(/[^\u0021-\u007e]+/g, encodeURIComponent);
}

/** Keys are sorted; the empty `sb` tells clients who speaks. */
function withFragment(address: string, members: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ ...members, sb: '' });
  query.sort();
  return `${plainTarget(address)}#${query.toString()}`;
}
