import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.js';
import { Factor } from '../factors/factor.entity.js';

/** Longest id of a credential (WebAuthn, section 5.8.3: 1023 bytes), in base64url. */
export const LONGEST_CREDENTIAL_ID = 1364;

/**
 * The public key of an authenticator: of a second factor, or a passkey. Nobody else can register the same one. Nothing of
 * it is secret.
 */
export const WebauthnCredential = defineEntity({
  name: 'WebauthnCredential',
  schema: 'auth',
  tableName: 'webauthn_credentials',
  properties: {
    id: p.uuid().primary(),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade').index(),
    /** Null for a passkey. */
    factorId: () => p.manyToOne(Factor).mapToPk().fieldName('factor_id').deleteRule('cascade').nullable().unique(),
    /** The authenticator's name for it, in base64url. */
    credentialId: p.string().length(LONGEST_CREDENTIAL_ID).unique(),
    /** COSE (RFC 9052), in base64url. */
    publicKey: p.text(),
    /** Signatures that the authenticator has counted; 0 for those that do not count. A copy would count on its own. */
    signCount: p.bigint('number').default(0),
    /** Ways to the authenticator, as usb, nfc, internal or hybrid. */
    transports: p.array().default([]),
    /** A passkey's; a factor has its own. */
    friendlyName: p.text().default(''),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link WebauthnCredential}. */
export type WebauthnCredentialRow = InferEntity<typeof WebauthnCredential>;
