import type { Drawing } from '../../components/page-header.js';

/** Months on a line, with what was written in each. */
export const archiveDrawing: Drawing = {
  cables: 'M0 126H3000',
  shapes:
    'M20 104h24M20 90h24M58 104h24M96 104h24M96 90h24M96 76h24M134 104h24M134 90h24M172 104h24M172 90h24M172 76h24M172 62h24M210 104h24M248 104h24M248 90h24M248 76h24M286 104h24M286 90h24M324 104h24M324 90h24M324 76h24M324 62h24M324 48h24M362 104h24M362 90h24',
  lamps: 'M32 126h0M108 126h0M184 126h0M260 126h0',
  lit: 'M336 126h0',
};
