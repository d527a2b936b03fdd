import { Injectable } from '@nestjs/common';
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CONTENT_CHANNEL, ContentListener } from './content-listener.js';

/** Tells every process that published content changed. */
@Injectable()
export class ContentNotifier implements EventSubscriber {
  private readonly changing = new WeakSet<object>();

  constructor(
    em: EntityManager,
    private readonly listener: ContentListener,
  ) {
    em.getEventManager().registerSubscriber(this);
  }

  /** Part of the transaction of `em`: heard when it commits, never when it rolls back. */
  async notifyChanged(em: EntityManager): Promise<void> {
    await em.execute(`select pg_notify('${CONTENT_CHANNEL}', '')`);
    this.changing.add(em);
  }

  /**
   * Tells this process at once, without waiting for the notification: the author of a change sees it with the next
   * request.
   */
  afterTransactionCommit({ em }: TransactionEventArgs): void {
    if (this.changing.delete(em)) this.listener.tell();
  }
}
