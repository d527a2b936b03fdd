import type { Drawing } from '../../components/page-header.js';

/** A key, and the lock that it fits. */
export const accountDrawing: Drawing = {
  cables: 'M30 80H0M338 80H3000',
  shapes: 'M30 80a30 30 0 1 1 60 0a30 30 0 1 1-60 0M90 80h130v24M192 80v16M280 46h58v68h-58zM309 74v20',
  lamps: 'M60 80h0M390 80h0',
  lit: 'M309 70h0',
};
