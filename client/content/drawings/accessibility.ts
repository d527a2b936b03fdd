import type { Drawing } from '../../components/page-header.js';

/** Keys of a keyboard; the second one has the focus. */
export const accessibilityDrawing: Drawing = {
  cables: 'M350 88H3000',
  shapes:
    'M20 56h84v64H20zM140 56h84v64h-84zM128 44h108v88H128zM260 56h90v64h-90zM158 88h44M190 76l12 12-12 12M44 88h36M284 88h40',
  lamps: 'M390 88h0',
  lit: 'M182 110h0',
};
