import type { FocusEvent, KeyboardEvent } from 'react';

const STOPS = 'button, select';

/**
 * Makes the controls of a toolbar one stop for Tab. Arrow keys, Home and End walk along them; the one visited last is
 * the stop. Up and down stay with lists.
 * @param onEscape where Escape leads
 */
export function useRovingFocus(onEscape: () => void) {
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      onEscape();
      return;
    }
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)];
    const at = stops.indexOf(event.target as HTMLElement);
    const next = nextPlace(event.key, at, stops.length);
    if (at < 0 || next === null) return;
    event.preventDefault();
    stops[next]?.focus();
  };
  const handleFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => setStop(currentTarget, target);
  return { onKeyDown: handleKeyDown, onFocus: handleFocus };
}

/** Leaves one control of the toolbar to Tab: this one, or the first. */
export function setStop(toolbar: HTMLElement, stop?: Element): void {
  const stops = [...toolbar.querySelectorAll<HTMLElement>(STOPS)];
  const current = stops.find((control) => control === stop) ?? stops.find(({ tabIndex }) => tabIndex === 0) ?? stops[0];
  for (const control of stops) control.tabIndex = control === current ? 0 : -1;
}

function nextPlace(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
