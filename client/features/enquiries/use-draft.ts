import { useState } from 'react';
import { useAdminApi } from '../../lib/admin-context.js';
import { randomId } from '../../lib/random-id.js';

/** A text that is being written, and the saved one that its writer began with. */
export interface Draft {
  readonly text: string;
  readonly base: string;
  /** The same at every try to save it, and after the page was loaded again; what is begun anew has another. */
  readonly id: string;
}

/** See {@link useDraft}. */
interface KeptDraft {
  readonly draft: Draft | null;
  /** Takes over what is typed. @param base the saved text, for a draft that begins with this */
  readonly write: (text: string, base: string) => void;
  readonly discard: () => void;
  /** Goes on after a text was saved: what was typed since is a draft of its own, over what is saved now. */
  readonly settle: (saved: string, base: string) => void;
}

/**
 * A text that is written about an enquiry and not saved yet; null for none. The tab keeps it for whoever wrote it:
 * leaving the screen or loading it again loses nothing, and others who sign in there do not see it.
 */
export function useDraft(key: string): KeptDraft {
  const name = `enquiry-${useAdminApi().person.userId}-${key}`;
  const [draft, setDraft] = useState<Draft | null>(() => read(name));
  const change = (next: Draft | null) => {
    setDraft(next);
    keep(name, next);
  };
  return {
    draft,
    write: (text, base) => change({ text, base: draft?.base ?? base, id: draft?.id ?? randomId() }),
    discard: () => change(null),
    settle: (saved, base) => {
      const id = randomId();
      const goOn = (now: Draft | null) => (now === null || now.text === saved ? null : { ...now, base, id });
      setDraft(goOn);
      // Whoever has left the screen meanwhile comes back to the same.
      keep(name, goOn(read(name)));
    },
  };
}

/** Returns true for a text that is kept as `saved`: without the space around it, and with the line ends of one kind. */
export function isSameText(typed: string, saved: string): boolean {
  return typed.replace(/\r\n?/g, '\n').trim() === saved;
}

function keep(name: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing: then the form alone has it.
  }
}

function read(name: string): Draft | null {
  try {
    const { text, base, id } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Draft>;
    return typeof text === 'string' && typeof base === 'string' && typeof id === 'string' ? { text, base, id } : null;
  } catch {
    return null;
  }
}
