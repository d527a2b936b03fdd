import type { Plan } from './pricing.js';

/** The one currency of all prices. */
export const CURRENCY = { code: 'USD', sign: '$', name: 'US dollars' } as const;

/** The prices that other pages name. */
export interface Prices {
  readonly plans: readonly Pick<Plan, 'name' | 'price' | 'unit' | 'period'>[];
  /** The price of average providers for a user and month. */
  readonly market: { readonly from: number; readonly to: number };
}

/** Writes an amount as people read it: `$150`, or `$149.50`. */
export function formatPrice(amount: number): string {
  return CURRENCY.sign + (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));
}
