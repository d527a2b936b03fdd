import type { Drawing } from '../../components/page-header.js';

/** A lock on the line. */
export const privacyDrawing: Drawing = {
  cables: 'M0 92h150M246 92H3000',
  shapes: 'M150 62h96v66h-96zM168 62V50a30 30 0 0 1 60 0v12M198 96v14',
  lamps: 'M60 92h0M330 92h0',
  lit: 'M198 90h0',
};
