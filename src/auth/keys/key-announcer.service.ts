import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { CONFIG, type Config } from '../../config/config.js';
import { ContentListener } from '../../database/content-listener.js';
import { AccessTokenService } from '../tokens/access-token.service.js';
import { announceKeys, isSomeTokenRefused, renewUse } from './signing-key-uses.js';
import { SigningKeysService } from './signing-keys.service.js';

const RENEWAL_MS = 300_000;
/** A renewal may come late, and clocks may differ. */
const SLACK_MS = 2 * RENEWAL_MS;

/**
 * Tells the database which keys this server has, and until when tokens may be good that it signs. Commands that rotate
 * keys ask for that. Commands announce nothing: they hear of no changes.
 */
@Injectable()
export class KeyAnnouncerService implements OnModuleDestroy {
  private readonly logger = new Logger(KeyAnnouncerService.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: SigningKeysService,
    private readonly tokens: AccessTokenService,
    listener: ContentListener,
  ) {
    listener.onConnect((client) => this.announce(client));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async announce(client: ClientBase): Promise<void> {
    clearInterval(this.timer);
    const signing = this.keys.current.kid ?? '';
    await announceKeys(client, { known: this.keys.names, signing, until: this.tokensUntil() });
    this.timer = setInterval(() => {
      // A connection that is lost is followed by another one, and by another announcement.
      void renewUse(client, signing, this.tokensUntil()).catch(() => undefined);
    }, RENEWAL_MS).unref();
    if (!(await isSomeTokenRefused(client))) return;
    this.logger.error('Servers of this site refuse tokens of one another: give all of them the same AUTH_JWT_KEYS');
  }

  private tokensUntil(): Date {
    return new Date((this.tokens.seconds() + this.config.auth.jwt.expiresIn) * 1000 + SLACK_MS);
  }
}
