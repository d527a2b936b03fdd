import type { Drawing } from '../../components/page-header.js';

/** A lens over the one sheet of several that hangs on the lit lamp. */
export const searchDrawing: Drawing = {
  cables: 'M0 24H3000',
  shapes:
    'M30 38h84v96H30zM46 58h52M46 74h52M46 90h30M278 38h84v96h-84zM294 58h52M294 74h36M294 90h52M196 50a38 38 0 1 1 0 76 38 38 0 0 1 0-76M223 115l25 25M178 80h36M178 96h22',
  lamps: 'M72 24h0M320 24h0',
  lit: 'M196 24h0',
};
