import { UniqueConstraintViolationException, type RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AuthError } from '../auth.error.js';
import { WebauthnCredential, type WebauthnCredentialRow } from './webauthn-credential.entity.js';

/**
 * Keeps a new credential, in a transaction that holds its user.
 * @throws AuthError 422 webauthn_credential_exists when it is registered already, for whomever
 */
export async function keepNewCredential(
  em: EntityManager,
  credential: RequiredEntityData<WebauthnCredentialRow>,
): Promise<void> {
  try {
    await em.insert(WebauthnCredential, credential);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AuthError(422, 'webauthn_credential_exists', 'This credential is already registered');
  }
}
