import { useState } from 'react';

/** A text that is being written, and the saved one that its writer began with. */
export interface Draft {
  readonly text: string;
  readonly base: string;
}

/**
 * A text that is written about an enquiry and not saved yet; null for none. The tab keeps it: leaving the screen or
 * loading it again loses nothing.
 */
export function useDraft(key: string): readonly [Draft | null, (draft: Draft | null) => void] {
  const name = `enquiry-${key}`;
  const [draft, setDraft] = useState<Draft | null>(() => read(name));
  const change = (next: Draft | null) => {
    setDraft(next);
    try {
      if (next === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify(next));
    } catch {
      // The browser keeps nothing: then the form alone has it.
    }
  };
  return [draft, change];
}

function read(name: string): Draft | null {
  try {
    const { text, base } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Draft>;
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : null;
  } catch {
    return null;
  }
}
