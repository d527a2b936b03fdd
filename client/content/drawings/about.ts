import type { Drawing } from '../../components/page-header.js';

/** Desks on one line, and somebody at its end. */
export const aboutDrawing: Drawing = {
  cables: 'M52 100v28M142 100v28M232 100v28M0 128H3000',
  shapes:
    'M22 52h60v40H22zM38 100h28M112 52h60v40h-60zM128 100h28M202 52h60v40h-60zM218 100h28M322 96V82a32 32 0 0 1 64 0v14M314 90h18v26h-18zM376 90h18v26h-18z',
  lamps: 'M52 128h0M142 128h0M232 128h0',
  lit: 'M354 128h0',
};
