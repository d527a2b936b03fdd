import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Clock } from '../../shared/clock.js';
import type { UserRow } from '../accounts/user.entity.js';
import type { CredentialResponse, VerifyFactorBody } from '../api/request-bodies.js';
import { invalid } from '../auth.error.js';
import { keepNewCredential } from '../webauthn/credential-records.js';
import { WebauthnCredential } from '../webauthn/webauthn-credential.entity.js';
import { WebauthnService } from '../webauthn/webauthn.service.js';
import type { FactorChallengeRow } from './factor-challenge.entity.js';
import type { FactorRow } from './factor.entity.js';

/** The request to a security key, which a browser passes on. */
export type KeyRequest =
  | {
      /** A new credential, for a factor that is to be verified. */
      readonly type: 'create';
      readonly credential_options: { readonly publicKey: PublicKeyCredentialCreationOptionsJSON };
    }
  | {
      /** A signature. */
      readonly type: 'request';
      readonly credential_options: { readonly publicKey: PublicKeyCredentialRequestOptionsJSON };
    };

/** Security keys as second factors, in transactions that hold their user. */
@Injectable()
export class SecurityKeysService {
  constructor(
    private readonly webauthn: WebauthnService,
    private readonly clock: Clock,
  ) {}

  /** Makes a challenge: for a credential that the user's other keys do not have, or for a signature of this key. */
  async ask(em: EntityManager, user: UserRow, factor: FactorRow): Promise<KeyRequest> {
    if (factor.status === 'verified') {
      const known = await em.find(WebauthnCredential, { factorId: factor.id });
      return {
        type: 'request',
        credential_options: { publicKey: await this.webauthn.requestOptions('factor', known) },
      };
    }
    const known = await em.find(WebauthnCredential, { userId: user.id, factorId: { $ne: null } });
    // Under the name of the account, it could take the place of a passkey in the same authenticator.
    const publicKey = await this.webauthn.createOptions('factor', factor.id, user, known);
    return { type: 'create', credential_options: { publicKey } };
  }

  /**
   * Judges the answer of a key: keeps the credential of a factor that is to be verified, else checks the signature. The
   * challenge is spent either way.
   * @throws AuthError 422 webauthn_credential_exists
   */
  async check(
    em: EntityManager,
    factor: FactorRow,
    challenge: FactorChallengeRow,
    answer: VerifyFactorBody['webauthn'],
  ): Promise<boolean> {
    challenge.verifiedAt = this.clock.now();
    const response = answer?.credential_response;
    const asked = challenge.webauthnChallenge;
    if (!response || !asked) return false;
    return factor.status === 'verified'
      ? await this.checkSignature(em, factor, asked, response)
      : await this.keepCredential(em, factor, asked, response);
  }

  private async keepCredential(
    em: EntityManager,
    factor: FactorRow,
    asked: string,
    response: CredentialResponse,
  ): Promise<boolean> {
    const created = await this.webauthn.readCreated('factor', asked, response);
    if (created === null) return false;
    await keepNewCredential(em, {
      ...created,
      id: randomUUID(),
      userId: factor.userId,
      factorId: factor.id,
      createdAt: this.clock.now(),
    });
    return true;
  }

  private async checkSignature(
    em: EntityManager,
    factor: FactorRow,
    asked: string,
    response: CredentialResponse,
  ): Promise<boolean> {
    const credential = await em.findOne(WebauthnCredential, { factorId: factor.id });
    if (credential === null) return false;
    const signCount = await this.webauthn.readSignCount('factor', asked, response, credential);
    if (signCount === null) return false;
    Object.assign(credential, { signCount, lastUsedAt: this.clock.now() });
    return true;
  }
}

/** Refuses a call without the answer of a key. @throws AuthError 400 validation_failed */
export function assertKeyAnswered(answer: VerifyFactorBody['webauthn']): void {
  if (!answer) throw invalid('WebAuthn config required');
  if (answer.type !== 'create' && answer.type !== 'request') throw invalid('WebAuthn type must be create or request');
  if (!answer.credential_response) throw invalid('credential_response required');
}
