import { randomId } from '../../../lib/random-id.js';

const KEY = 'editor-tab';

let id: string | null = null;

/**
 * Names this tab to the server. A reload keeps the name, so that nobody is shown their own page of before; a tab that
 * is duplicated is another one, as the name is stored only while no page of the tab is alive.
 */
export function findTabId(): string {
  if (id !== null) return id;
  const named = takeStored() ?? randomId();
  window.addEventListener('pagehide', () => store(named));
  window.addEventListener('pageshow', () => void takeStored());
  id = named;
  return named;
}

function takeStored(): string | null {
  try {
    const stored = window.sessionStorage.getItem(KEY);
    window.sessionStorage.removeItem(KEY);
    return stored;
  } catch {
    return null;
  }
}

function store(named: string): void {
  try {
    window.sessionStorage.setItem(KEY, named);
  } catch {
    // Forbidden or full: the next page of this tab is another one for some seconds.
  }
}
