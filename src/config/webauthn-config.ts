import type { Environment } from './environment.js';
import { isIpLiteral } from './redirect-patterns.js';

/** The site as security keys and passkeys know it (WebAuthn). */
export interface WebauthnConfig {
  /** The relying party: a domain. What was registered for it is good there and on the domains below it. */
  readonly rpId: string;
  /** The origins whose pages may ask for keys. */
  readonly origins: readonly string[];
}

/** The relying party from its variables, and from the address of the site where they are not set. */
export function toWebauthnConfig(
  env: Pick<Environment, 'AUTH_WEBAUTHN_RP_ID' | 'AUTH_WEBAUTHN_ORIGINS'>,
  publicUrl: string,
): WebauthnConfig {
  const { origin, hostname } = new URL(publicUrl);
  const origins = env.AUTH_WEBAUTHN_ORIGINS;
  return { rpId: env.AUTH_WEBAUTHN_RP_ID ?? hostname, origins: origins.length > 0 ? origins : [origin] };
}

/** Finds what keeps browsers from asking for keys: one line per variable to change. */
export function findWebauthnProblems({ rpId, origins }: WebauthnConfig): string[] {
  if (isIpLiteral(rpId)) {
    return [`AUTH_WEBAUTHN_RP_ID: is the IP address ${rpId}, for which browsers have no keys; name a domain`];
  }
  return origins.flatMap((origin) => {
    // Apps have origins of another kind.
    if (!URL.canParse(origin) || !/^https?:/.test(origin)) return [];
    const { protocol, hostname } = new URL(origin);
    if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) {
      return [`AUTH_WEBAUTHN_RP_ID: is ${rpId}, which ${origin} is not below; browsers have no keys there`];
    }
    if (protocol === 'http:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) {
      return [`AUTH_WEBAUTHN_ORIGINS: browsers have no keys at ${origin}, as it is not https`];
    }
    return [];
  });
}
