import type { Drawing } from '../../components/page-header.js';

/** A panel of sockets, three of them in use. */
export const portalDrawing: Drawing = {
  cables: 'M130 66c0 70 120 70 200 70H3000M214 66c0 52 90 52 130 52H3000M298 66c0 34 40 34 70 34H3000',
  shapes:
    'M20 30h320v58H20zM36 50h24v22H36zM78 50h24v22H78zM120 50h24v22h-24zM162 50h24v22h-24zM204 50h24v22h-24zM246 50h24v22h-24zM288 50h24v22h-24z',
  lamps: 'M132 40h0M216 40h0',
  lit: 'M300 40h0',
};
