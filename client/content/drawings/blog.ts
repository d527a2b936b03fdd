import type { Drawing } from '../../components/page-header.js';

/** Sheets hung on a cable. */
export const blogDrawing: Drawing = {
  cables: 'M0 24H3000',
  shapes:
    'M30 38h84v96H30zM46 58h52M46 74h52M46 90h30M154 38h84v96h-84zM170 54h52v30h-52zM170 102h52M170 118h34M278 38h84v96h-84zM294 58h52M294 74h36M294 118V96M312 118v-12M330 118V88',
  lamps: 'M72 24h0M196 24h0',
  lit: 'M320 24h0',
};
