import type { CSSProperties } from 'react';
import { marketPrice, plans } from '../../content/plans.js';
import { useSite } from '../../lib/site-context.js';

/** Right end of the axis in dollars. */
const SCALE_END = marketPrice.to;
const ticks = [0, 100, 200, 300, 400];

function toPercent(dollars: number): string {
  return `${(dollars / SCALE_END) * 100}%`;
}

/** Start and end of a bar on the axis, for the style sheet. */
function span(from: number, to: number): CSSProperties {
  return { '--from': toPercent(from), '--to': toPercent(to) } as CSSProperties;
}

/** The comparison of prices as bars, true to scale, with the numbers in text (product.md 2.3). */
export function PriceScale() {
  const site = useSite();
  const [managed] = plans;
  return (
    <div className="scale">
      <dl>
        <div className="scale-row">
          <dt>
            Average managed service provider <small>multiple tiers</small>
          </dt>
          <dd className="scale-track" style={span(marketPrice.from, marketPrice.to)}>
            <span className="scale-bar" aria-hidden="true" />
            <span className="scale-price">
              <b>
                ${marketPrice.from}-${marketPrice.to}
              </b>{' '}
              per user/month
            </span>
          </dd>
        </div>
        <div className="scale-row scale-ours">
          <dt>
            {site.name} <small>one price, everyone the same</small>
          </dt>
          <dd className="scale-track" style={span(0, managed.price)}>
            <span className="scale-bar" aria-hidden="true" />
            <span className="scale-price">
              <b>Upto ${managed.price}</b> per user/month
            </span>
          </dd>
        </div>
      </dl>
      <p className="scale-axis" aria-hidden="true">
        {ticks.map((dollars) => (
          <span key={dollars} style={{ '--at': toPercent(dollars) } as CSSProperties}>
            ${dollars}
          </span>
        ))}
      </p>
      <p className="scale-note">US dollars per user and month, drawn to scale</p>
    </div>
  );
}
