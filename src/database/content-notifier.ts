import { Injectable } from '@nestjs/common';
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CONTENT_CHANNEL, ContentListener, TAKEN_BACK } from './content-listener.js';

/** Tells every process that published content changed. */
@Injectable()
export class ContentNotifier implements EventSubscriber {
  /** Transactions that changed something; true for those that took something back. */
  private readonly changing = new WeakMap<object, boolean>();

  constructor(
    em: EntityManager,
    private readonly listener: ContentListener,
  ) {
    em.getEventManager().registerSubscriber(this);
  }

  /**
   * Part of the transaction of `em`: heard when it commits, never when it rolls back.
   * @param isTakenBack true when readers are no longer to see something that they saw, in no page of before either
   */
  async notifyChanged(em: EntityManager, isTakenBack = false): Promise<void> {
    await em.execute('select pg_notify(?, ?)', [CONTENT_CHANNEL, isTakenBack ? TAKEN_BACK : '']);
    this.changing.set(em, isTakenBack || this.changing.get(em) === true);
  }

  /**
   * Tells this process at once, without waiting for the notification: the author of a change sees it with the next
   * request.
   */
  afterTransactionCommit({ em }: TransactionEventArgs): void {
    const isTakenBack = this.changing.get(em);
    if (isTakenBack === undefined) return;
    this.changing.delete(em);
    this.listener.tell(isTakenBack);
  }
}
