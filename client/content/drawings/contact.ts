import type { Drawing } from '../../components/page-header.js';

/** A question, and its answer. */
export const contactDrawing: Drawing = {
  cables: 'M150 66h84M366 66H3000',
  shapes: 'M18 30h132v72H74l-24 22v-22H18zM42 56h84M42 76h52M234 30h132v72h-32v22l-24-22h-76zM258 56h84M258 76h40',
  lamps: 'M192 66h0',
  lit: 'M406 66h0',
};
