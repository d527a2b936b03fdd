import type { Drawing } from '../../components/page-header.js';

/** A line that goes back before it is checked off. */
export const promiseDrawing: Drawing = {
  cables: 'M0 112H170c64 0 88-20 88-48S236 20 206 20s-52 18-52 44 30 48 92 48h84M390 112H3000',
  shapes: 'M330 112a30 30 0 1 1 60 0a30 30 0 1 1-60 0M346 112l10 11 19-21',
  lamps: 'M60 112h0M206 20h0',
  lit: 'M420 112h0',
};
