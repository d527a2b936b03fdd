import { useEffect, type RefObject } from 'react';

/**
 * Tells the styles where the bars at the foot of a form can stand: `--keyboard` is the height that the keyboard of a
 * phone takes from the window, `--bar-height` that of the save bar. Where there is a keyboard, `data-keyboard` is set.
 */
export function useBarPlaces(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    const bar = element?.querySelector<HTMLElement>('.save-bar');
    if (!element || !bar) return undefined;
    const { visualViewport: view } = window;
    const place = () => {
      // Who has zoomed in sees less of the page without any keyboard.
      const isZoomed = view !== null && Math.abs(view.scale - 1) > 0.01;
      const keyboard = view === null || isZoomed ? 0 : Math.max(0, window.innerHeight - view.height - view.offsetTop);
      element.style.setProperty('--keyboard', `${Math.round(keyboard)}px`);
      element.style.setProperty('--bar-height', `${bar.offsetHeight}px`);
      element.toggleAttribute('data-keyboard', keyboard > 100);
    };
    const watching = new ResizeObserver(place);
    watching.observe(bar);
    const listening = new AbortController();
    view?.addEventListener('resize', place, { signal: listening.signal });
    view?.addEventListener('scroll', place, { signal: listening.signal });
    return () => {
      watching.disconnect();
      listening.abort();
    };
  }, [form]);
}
