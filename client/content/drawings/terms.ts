import type { Drawing } from '../../components/page-header.js';

/** A signed sheet. */
export const termsDrawing: Drawing = {
  cables: 'M262 118H3000',
  shapes:
    'M110 14h116l36 36v90H110zM226 14v36h36M134 54h72M134 72h104M134 90h60M134 122c12-18 20-18 22-6s14 4 24-6 12 10 30 4',
  lamps: 'M320 118h0',
  lit: 'M234 122h0',
};
