import type { Drawing } from '../../components/page-header.js';

/** Both prices on a scale of 0 to 400 dollars, a unit a dollar, and what others charge. */
export const pricingDrawing: Drawing = {
  cables: 'M20 132H3000M195 58h225M195 46v24M420 46v24',
  shapes:
    'M20 24h65v18H20zM20 56h150v26H20zM20 132v-20M70 132v-10M120 132v-10M170 132v-10M220 132v-20M270 132v-10M320 132v-10M370 132v-10M420 132v-20',
  lamps: 'M85 33h0',
  lit: 'M170 69h0',
};
