import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { VerifyPasskeyAuthenticationParams } from '@supabase/auth-js';

/** The answer of an authenticator as it is sent: a credential or a signature. */
export type AuthenticatorAnswer = VerifyPasskeyAuthenticationParams['credential'];

/** A deed of an authenticator, or of the browser before it, that is not as it should be. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Bits of authenticator data (WebAuthn, section 6.1). */
  readonly flags?: number;
  readonly count?: number;
  /** The id that it claims for its credential. */
  readonly id?: string;
  readonly userHandle?: string;
  readonly format?: string;
  /** Changes a byte of the signature. */
  readonly isTampered?: boolean;
}

interface Credential {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly userHandle: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const fromBase64url = (text: string) => Buffer.from(text, 'base64url');

/** An authenticator of one credential (ES256), and the browser in front of it, as JSON of level 3 of WebAuthn. */
export class SoftwareAuthenticator {
  credential: Credential | undefined;
  private count = 0;

  constructor(private readonly origin: string) {}

  /** Makes a credential, instead of the one before. */
  create(options: PublicKeyCredentialCreationOptionsJSON, deviation: Deviation = {}): AuthenticatorAnswer {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = deviation.id ?? randomBytes(16).toString('base64url');
    this.credential = { id, privateKey, userHandle: options.user.id };
    const idBytes = fromBase64url(id);
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(idBytes.length);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const attested = Buffer.concat([Buffer.alloc(16), idLength, idBytes, coseKey(fromBase64url(x), fromBase64url(y))]);
    const flags = deviation.flags ?? PRESENT | VERIFIED;
    const data = this.authenticatorData(deviation.rpId ?? options.rp.id ?? '', flags | HAS_CREDENTIAL, deviation);
    return {
      ...envelope(id),
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
        attestationObject: attestation(deviation.format ?? 'none', Buffer.concat([data, attested])).toString(
          'base64url',
        ),
        transports: ['usb'],
      },
    };
  }

  /** Signs with its credential. */
  get(options: PublicKeyCredentialRequestOptionsJSON, deviation: Deviation = {}): AuthenticatorAnswer {
    if (this.credential === undefined) throw new Error('This authenticator has no credential');
    const { id, privateKey, userHandle } = this.credential;
    const data = this.authenticatorData(
      deviation.rpId ?? options.rpId ?? '',
      deviation.flags ?? PRESENT | VERIFIED,
      deviation,
    );
    const clientData = this.clientData('webauthn.get', options.challenge, deviation);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
    if (deviation.isTampered) signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
    return {
      ...envelope(deviation.id ?? id),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: deviation.userHandle ?? userHandle,
      },
    };
  }

  private authenticatorData(rpId: string, flags: number, { count }: Deviation): Buffer {
    this.count = count ?? this.count + 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(this.count, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }

  private clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.origin } = deviation;
    return Buffer.from(
      JSON.stringify({ type: deviation.type ?? type, challenge: deviation.challenge ?? challenge, origin }),
    );
  }
}

function envelope(id: string) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
}

/** A public key of P-256 for ES256 (RFC 9053, section 7.1.1). */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([fromHex('a5010203262001215820'), x, fromHex('225820'), y]);
}

/** An attestation object (WebAuthn, section 6.5) without a statement, in CBOR. */
function attestation(format: string, authData: Buffer): Buffer {
  const length = Buffer.alloc(3, 0x59);
  length.writeUInt16BE(authData.length, 1);
  return Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText(format),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    length,
    authData,
  ]);
}

/** A text below 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function fromHex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
