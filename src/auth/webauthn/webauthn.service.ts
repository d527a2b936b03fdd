import { Inject, Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { CONFIG, type Config } from '../../config/config.js';
import type { CredentialResponse } from '../api/request-bodies.js';
import type { UserRow } from '../accounts/user.entity.js';
import { LONGEST_CREDENTIAL_ID, type WebauthnCredentialRow } from './webauthn-credential.entity.js';

/** Milliseconds that a challenge is good for, and that browsers wait for a key. */
export const CHALLENGE_MS = 300_000;
/** Ways to an authenticator; others are left out. */
const TRANSPORTS: readonly string[] = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** A second factor, which follows another one, or a passkey, which stands alone and has to know its owner by itself. */
export type CredentialPurpose = 'factor' | 'passkey';

/** The credential that an authenticator made. */
export type NewCredential = Pick<WebauthnCredentialRow, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;

type KnownCredential = Pick<WebauthnCredentialRow, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;

/** Loaded on demand: most sites have no keys. */
const loadLibrary = async () => await import('@simplewebauthn/server');

/**
 * The ceremonies of WebAuthn (level 3): what browsers are asked, and what is made of their answers. Origin and relying
 * party are those of the settings, whatever a client says.
 */
@Injectable()
export class WebauthnService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Asks for a new credential (section 7.1).
   * @param handle names the account to the authenticator, which keeps one discoverable credential for each
   */
  async createOptions(
    purpose: CredentialPurpose,
    handle: string,
    user: Pick<UserRow, 'id' | 'email' | 'phone'>,
    known: readonly KnownCredential[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await loadLibrary();
    const { rpId } = this.config.auth.webauthn;
    const userName = user.email ?? user.phone ?? user.id;
    const isPasskey = purpose === 'passkey';
    return await generateRegistrationOptions({
      rpName: rpId,
      rpID: rpId,
      userID: new TextEncoder().encode(handle),
      userName,
      userDisplayName: userName,
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: known.map(toDescriptor),
      authenticatorSelection: {
        residentKey: isPasskey ? 'required' : 'discouraged',
        userVerification: isPasskey ? 'required' : 'preferred',
      },
    });
  }

  /** Asks for a signature (section 7.2): of one of these credentials, or of any passkey. */
  async requestOptions(
    purpose: CredentialPurpose,
    known: readonly KnownCredential[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadLibrary();
    return await generateAuthenticationOptions({
      rpID: this.config.auth.webauthn.rpId,
      timeout: CHALLENGE_MS,
      userVerification: purpose === 'passkey' ? 'required' : 'preferred',
      allowCredentials: known.map(toDescriptor),
    });
  }

  /** Returns the credential of an answer to {@link createOptions}, or null for an answer that is wrong. */
  async readCreated(
    purpose: CredentialPurpose,
    challenge: string,
    response: CredentialResponse,
  ): Promise<NewCredential | null> {
    const { verifyRegistrationResponse } = await loadLibrary();
    if (!(await isUnattested(response))) return null;
    const { registrationInfo } = await orNull(
      verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        ...this.expected(purpose, challenge),
      }),
    );
    if (!registrationInfo || registrationInfo.credential.id.length > LONGEST_CREDENTIAL_ID) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      signCount: counter,
      // Each once, however often it is said: every later call for options repeats them.
      transports: TRANSPORTS.filter((transport) => response.response.transports.includes(transport)),
    };
  }

  /**
   * Checks an answer to {@link requestOptions}. An authenticator that counts must have counted on: another one with its
   * key would not.
   * @returns the count of the authenticator, or null for an answer that is wrong
   */
  async readSignCount(
    purpose: CredentialPurpose,
    challenge: string,
    response: CredentialResponse,
    credential: KnownCredential,
  ): Promise<number | null> {
    if (response.id !== credential.credentialId) return null;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await orNull(
      verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        ...this.expected(purpose, challenge),
        credential: {
          id: credential.credentialId,
          publicKey: Uint8Array.from(Buffer.from(credential.publicKey, 'base64url')),
          counter: credential.signCount,
        },
      }),
    );
    return verified && authenticationInfo ? authenticationInfo.newCounter : null;
  }

  private expected(purpose: CredentialPurpose, challenge: string) {
    const { rpId, origins } = this.config.auth.webauthn;
    return {
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: purpose === 'passkey',
    };
  }
}

function toDescriptor({ credentialId, transports }: KnownCredential) {
  return { id: credentialId, transports: transports as AuthenticatorTransport[] };
}

/**
 * Returns true for an answer without certificates, as was asked for. The library would check those of some makers, and
 * ask addresses of the internet that they name.
 */
async function isUnattested({ response }: CredentialResponse): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
    const format = attestation.get('fmt');
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** The library throws at whatever is wrong with an answer. */
async function orNull<T extends object>(verification: Promise<T>): Promise<Partial<T>> {
  try {
    return await verification;
  } catch {
    return {};
  }
}
