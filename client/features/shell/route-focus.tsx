import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { focusPage } from '../../lib/focus-page.js';

/** Moves the focus after a navigation in the browser, as loading a page would. */
export function RouteFocus() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusPage();
  }, [pathname]);
  return null;
}
