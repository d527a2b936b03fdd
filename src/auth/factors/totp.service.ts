import type { KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import { DerivedKeysService } from '../keys/derived-keys.service.js';
import { openText, sealText } from '../keys/sealed-texts.js';
import type { FactorRow } from './factor.entity.js';

/** The only parameters (RFC 6238) that every authenticator app knows. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps of 30 seconds before and after the present one whose codes are accepted. */
const TOLERANCE = 1;
const SECRET_BYTES = 20;
/** Modules of white around a QR code (ISO/IEC 18004, section 6.3.8). */
const QUIET_ZONE = 4;

/** The secret of an authenticator app, as it is shown once. */
export interface TotpSetup {
  /** SVG markup. */
  readonly qr_code: string;
  /** Base32, for typing. */
  readonly secret: string;
  /** `otpauth://totp/...`, as the QR code has it. */
  readonly uri: string;
}

/** Codes of authenticator apps (RFC 6238). Their secrets are encrypted in the database. */
@Injectable()
export class TotpService {
  private readonly key: KeyObject;
  private readonly logger = new Logger('accounts');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keys: DerivedKeysService,
    private readonly clock: Clock,
  ) {
    this.key = keys.keyFor('totp secrets');
  }

  /**
   * Makes a secret for a factor.
   * @param account how the app lists it, beside the issuer
   * @param issuer empty for the host of AUTH_SITE_URL
   */
  create(factorId: string, account: string, issuer: string): TotpSetup & { readonly sealedSecret: string } {
    const secret = new Secret({ size: SECRET_BYTES });
    const name = issuer === '' ? new URL(this.config.auth.siteUrl).host : issuer;
    const uri = new TOTP({ ...SHAPE, secret, issuer: name, label: account }).toString();
    return {
      sealedSecret: sealText(this.key, secret.base32, factorId),
      secret: secret.base32,
      uri,
      qr_code: renderSVG(uri, { border: QUIET_ZONE }),
    };
  }

  /**
   * Returns the step whose code this is, or null for a wrong one and for one that is not newer than the last one that
   * was accepted.
   * @throws AuthError 422 mfa_verification_failed when the secret was encrypted under another AUTH_TOKEN_SECRET
   */
  findStep({ id, sealedSecret, lastUsedStep }: FactorRow, code: string): number | null {
    const secret = openText(this.key, sealedSecret ?? '', id);
    if (secret === null) {
      this.logger.error(`The secret of the second factor ${id} cannot be read: AUTH_TOKEN_SECRET is another one now`);
      throw new AuthError(422, 'mfa_verification_failed', 'This factor cannot be used any more; ask for its removal');
    }
    const timestamp = this.clock.now().getTime();
    const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp, window: TOLERANCE });
    if (delta === null) return null;
    const step = Math.floor(timestamp / 1000 / SHAPE.period) + delta;
    return step > (lastUsedStep ?? -1) ? step : null;
  }
}
