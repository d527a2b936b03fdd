import { useSyncExternalStore } from 'react';
import { THEME_COLORS } from '../../src/shared/theme-colors.js';

/** Which set of colors the visitor asked for; 'system' follows the device. */
export type Theme = 'system' | 'light' | 'dark';

/** Shared with before-paint.ts, which applies the choice before the first paint. */
const STORAGE_KEY = 'theme';

const listeners = new Set<() => void>();

function readTheme(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Events of a choice in another tab, and of the return of a page that the browser had put aside as it was. */
const NEWS = ['storage', 'pageshow'] as const;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  for (const event of NEWS) window.addEventListener(event, recallTheme);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const event of NEWS) window.removeEventListener(event, recallTheme);
  };
}

/** Colors the frame of the browser like the page, where the visitor chose another theme than the device has. */
export function showThemeColor(): void {
  const theme = readTheme();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const ofDevice = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = THEME_COLORS[theme === 'system' ? ofDevice : theme];
  }
}

/** Shows the theme that is remembered by now. */
function recallTheme(event: Event): void {
  // What else other tabs keep says nothing of it: a choice that could not be remembered would end.
  if (event instanceof StorageEvent && event.key !== null && event.key !== STORAGE_KEY) return;
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    showTheme(theme === 'light' || theme === 'dark' ? theme : 'system');
  } catch {
    // Storage may be forbidden: the page stays as it is.
  }
}

function showTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  showThemeColor();
  for (const listener of listeners) listener();
}

/** Shows a theme and remembers it for the next visit. */
export function setTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  showTheme(theme);
}

/** The visitor's choice; 'system' on the server, which knows nothing about the visitor. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme, () => 'system');
}
