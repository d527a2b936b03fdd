import type { CSSProperties } from 'react';
import { CURRENCY, formatPrice } from '../../../src/shared/contracts/page-texts/prices.js';
import { usePrices } from '../../lib/prices.js';
import { useSite } from '../../lib/site-context.js';

/** Steps of an axis that people read easily, as parts of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/** The part of the axis that words need. */
const ROOM = 0.3;

/** Returns the class of a bar whose words stand elsewhere than at most prices: a short one has no room, a long one leaves none. */
function toPlace(part: number): string {
  if (part < ROOM) return ' scale-beside';
  return part > 1 - ROOM ? ' scale-within' : '';
}

/** Returns the numbers on an axis that ends at `end`: five or so, in even steps. */
function toTicks(end: number): number[] {
  const power = 10 ** Math.floor(Math.log10(end / 4));
  const step = (STEPS.find((each) => each * power >= end / 4) ?? 10) * power;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

/** The comparison of prices as bars, true to scale, with the numbers in text (product.md 2.3). */
export function PriceScale() {
  const site = useSite();
  const { plans, market } = usePrices();
  const ours = plans[0]?.price ?? 0;
  /** Right end of the axis. */
  const end = Math.max(market.from, market.to, ours, 1);
  const toPercent = (amount: number) => `${(amount / end) * 100}%`;
  /** Start and end of a bar on the axis, for the style sheet. */
  const span = (from: number, to: number) => ({ '--from': toPercent(from), '--to': toPercent(to) }) as CSSProperties;
  return (
    <div className="scale">
      <dl>
        <div className={market.to - market.from < end * ROOM ? 'scale-row scale-before' : 'scale-row'}>
          <dt>
            Average managed service provider <small>multiple tiers</small>
          </dt>
          <dd className="scale-track" style={span(market.from, market.to)}>
            <span className="scale-bar" aria-hidden="true" />
            <span className="scale-price">
              <b>
                {formatPrice(market.from)}-{formatPrice(market.to)}
              </b>{' '}
              per user/month
            </span>
          </dd>
        </div>
        <div className={`scale-row scale-ours${toPlace(ours / end)}`}>
          <dt>
            {site.name} <small>one price, everyone the same</small>
          </dt>
          <dd className="scale-track" style={span(0, ours)}>
            <span className="scale-bar" aria-hidden="true" />
            <span className="scale-price">
              <b>Upto {formatPrice(ours)}</b> per user/month
            </span>
          </dd>
        </div>
      </dl>
      <p className="scale-axis" aria-hidden="true">
        {toTicks(end).map((amount) => (
          <span key={amount} style={{ '--at': toPercent(amount) } as CSSProperties}>
            {formatPrice(amount)}
          </span>
        ))}
      </p>
      <p className="scale-note">{CURRENCY.name} per user and month, drawn to scale</p>
    </div>
  );
}
