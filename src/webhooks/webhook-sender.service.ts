import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { WEBHOOK_MS } from '../config/time-limits.js';
import { PRODUCT_VERSION } from '../config/version.js';
import { Clock } from '../shared/clock.js';
import { WebhookDelivery, type WebhookDeliveryRow } from './webhook-delivery.entity.js';
import { signedHeaders } from './webhook-signature.js';

/** The outcome of one try. */
export interface WebhookTry {
  readonly isDelivered: boolean;
  /** True where no further try will be any better. */
  readonly isFinal: boolean;
  readonly status: number | null;
  /** Null after a success. */
  readonly reason: string | null;
}

/** The receiver is gone and says so (RFC 9110, 15.5.11). */
const GONE = 410;

/** Tries to deliver messages, and notes what came of it. */
@Injectable()
export class WebhookSenderService {
  private readonly logger = new Logger(WebhookSenderService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Tries once, and notes what came of it.
   * @param isLast true when nobody will try again
   * @returns null when somebody else has tried it since it was read, or is trying
   */
  async tryOnce(delivery: WebhookDeliveryRow, isLast: boolean, signal: AbortSignal): Promise<WebhookTry | null> {
    const { id } = delivery;
    const at = this.clock.now();
    const em = this.em.fork({ disableTransactions: true });
    const unchanged = { id, state: 'waiting', lastTriedAt: delivery.lastTriedAt ?? null } as const;
    if ((await em.nativeUpdate(WebhookDelivery, unchanged, { lastTriedAt: at })) === 0) return null;
    const outcome = await this.post(delivery, at, signal);
    const { isDelivered, isFinal, status, reason } = outcome;
    const state = isDelivered ? 'delivered' : isFinal || isLast ? 'failed' : 'waiting';
    // It may have been erased meanwhile, with its enquiry. And a machine that was asleep during its try hears of nothing:
    // another one has delivered the message since, and that stays so.
    const noted = isDelivered ? { id } : { id, state: 'waiting' as const };
    const attempts = raw<number>('attempts + 1');
    await em.nativeUpdate(WebhookDelivery, noted, { state, attempts, lastStatus: status, lastError: reason });
    if (!isDelivered) this.logger.warn({ delivery: id, reason, state }, 'The webhook was not delivered');
    return outcome;
  }

  private async post({ id, body }: WebhookDeliveryRow, at: Date, signal: AbortSignal): Promise<WebhookTry> {
    const { webhook } = this.config;
    if (webhook === null) return failed('NOTIFY_WEBHOOK_URL is not set any more', null, true);
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': `it-support-website/${PRODUCT_VERSION}`,
          ...signedHeaders(webhook.key, { id, at, body }),
        },
        body,
        // Where it leads nobody has decided, and the signature would go there.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(WEBHOOK_MS)]),
      });
      // Nothing but the status counts, and the rest may be endless.
      await response.body?.cancel().catch(() => undefined);
      return describeAnswer(response.status, response.ok);
    } catch (error) {
      return failed(`no answer (${describe(error)})`, null);
    }
  }
}

function describeAnswer(status: number, isOk: boolean): WebhookTry {
  if (isOk) return { isDelivered: true, isFinal: true, status, reason: null };
  if (status === GONE) return failed('answered 410: it wants no messages any more', status, true);
  if (status >= 300 && status < 400)
    return failed(`answered ${status}: it leads elsewhere, which is not followed`, status);
  return failed(`answered ${status}`, status);
}

function failed(reason: string, status: number | null, isFinal = false): WebhookTry {
  return { isDelivered: false, isFinal, status, reason };
}

/** Failed requests name their cause one level down. Never the address, whose path may be a secret. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'it took too long';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name;
}
