import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { loadGeneratedSecrets } from './generated-secrets.js';

/** Keys for rooms that hand out something signed. They follow from the secret of tokens, and none from another. */
@Injectable()
export class DerivedKeysService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The key of 32 bytes for that purpose, the same in every process (RFC 5869). */
  keyFor(purpose: string): KeyObject {
    const { auth, dataDir } = this.config;
    const secret = auth.tokenSecret === 'generated' ? loadGeneratedSecrets(dataDir).tokenSecret : auth.tokenSecret;
    return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  }
}
