import type { Drawing } from '../../components/page-header.js';

/** A fork in the line, and a question at it. */
export const notSureDrawing: Drawing = {
  cables: 'M0 76h96M148 76c44 0 36-46 84-46H3000M148 76c44 0 36 46 84 46H3000',
  shapes: 'M96 76a26 26 0 1 1 52 0a26 26 0 1 1-52 0M114 70a8 8 0 1 1 12 7c-3 2-4 4-4 7',
  lamps: 'M290 30h0M122 91h0',
  lit: 'M340 122h0',
};
