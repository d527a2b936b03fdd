import { Injectable } from '@nestjs/common';
import type { EntityManager } from '@mikro-orm/postgresql';

/** The channel on which processes tell each other that published content changed. */
export const CONTENT_CHANNEL = 'content_changed';

/** Tells every process that published content changed. */
@Injectable()
export class ContentNotifier {
  /** Part of the transaction of `em`: heard when it commits, never when it rolls back. */
  async notifyChanged(em: EntityManager): Promise<void> {
    await em.execute(`select pg_notify('${CONTENT_CHANNEL}', '')`);
  }
}
