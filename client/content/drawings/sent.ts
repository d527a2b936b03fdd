import type { Drawing } from '../../components/page-header.js';

/** A letter that has arrived. */
export const sentDrawing: Drawing = {
  cables: 'M0 56h44M16 78h28M0 100h44M156 78H3000',
  shapes: 'M60 40h96v76H60zM60 46l48 38 48-38M300 78a30 30 0 1 1 60 0a30 30 0 1 1-60 0M316 78l10 11 19-21',
  lamps: 'M200 78h0M250 78h0',
  lit: 'M400 78h0',
};
