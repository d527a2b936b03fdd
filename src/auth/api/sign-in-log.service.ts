import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics.js';
import type { Verified } from '../codes/verification.service.js';
import type { TokenResponse } from '../sessions/sessions.service.js';
import { toAuthError } from './error-envelope.js';

/** The ways to sign in, as the log names them. */
export type SignInMethod = 'password' | 'code' | 'link' | 'passkey' | 'provider';

/** Counts and logs attempts to sign in, whichever call they come by. */
@Injectable()
export class SignInLogService {
  private readonly logger = new Logger('SignIns');

  constructor(private readonly metrics: Metrics) {}

  /** Counts and logs an attempt to sign in; an outage is none. The line's request says from where. */
  async counted<T extends TokenResponse | Verified>(method: SignInMethod, attempt: Promise<T>): Promise<T> {
    try {
      const result = await attempt;
      this.metrics.signIns.add('succeeded');
      this.logger.log({ method, user: userOf(result) }, 'Signed in');
      return result;
    } catch (error) {
      const known = toAuthError(error);
      if (known.getStatus() < 500) {
        this.metrics.signIns.add(known.code);
        this.logger.log({ method, code: known.code }, 'Sign-in refused');
      }
      throw error;
    }
  }
}

/** The id of who signed in; undefined where more is to come: another address, or the exchange of a code. */
function userOf(result: TokenResponse | Verified): unknown {
  if ('user' in result) return result.user['id'];
  return result.kind === 'session' ? result.tokens.user['id'] : undefined;
}
