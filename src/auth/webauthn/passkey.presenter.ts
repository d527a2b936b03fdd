import type { WebauthnCredentialRow } from './webauthn-credential.entity.js';

/** A passkey as clients read it. */
export interface PasskeyJson {
  readonly id: string;
  /** Left out where it has none. */
  readonly friendly_name?: string;
  readonly created_at: Date;
  /** Left out until it is used. */
  readonly last_used_at?: Date;
}

/** Presents a passkey to clients (auth-api.md 2.9). */
export function toPasskeyJson({ id, friendlyName, createdAt, lastUsedAt }: WebauthnCredentialRow): PasskeyJson {
  return {
    id,
    ...(friendlyName === '' ? {} : { friendly_name: friendlyName }),
    created_at: createdAt,
    ...(lastUsedAt ? { last_used_at: lastUsedAt } : {}),
  };
}
