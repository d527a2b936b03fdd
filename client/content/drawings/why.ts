import type { Drawing } from '../../components/page-header.js';

/** A tangle that becomes order. */
export const whyDrawing: Drawing = {
  cables:
    'M0 30C70 150 110-20 164 92S230 10 276 40H3000M0 76C50-30 120 170 172 46S236 110 276 76H3000M0 122C80 0 100 150 152 30S226 160 276 112H3000',
  shapes: '',
  lamps: 'M320 40h0M360 76h0',
  lit: 'M400 112h0',
};
