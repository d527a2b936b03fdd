import { useEffect, useState } from 'react';
import { useAdminApi } from '../../lib/admin-context.js';

/** An alternative text that is not saved. */
interface TypedWords {
  readonly text: string;
  /** The words of the library over which somebody types. */
  readonly before: string;
}

/**
 * The alternative text of an image as it is typed. The tab keeps it for whoever typed it: another filter, and leaving the
 * screen, lose nothing, and others who sign in there do not see it.
 * @param alt the words of the library
 */
export function useTypedWords(imageId: string, alt: string) {
  const name = `alternative-${useAdminApi().person.userId}-${imageId}`;
  const [words, setWords] = useState<TypedWords | null>(() => read(name, alt));
  useEffect(() => keep(name, words), [name, words]);
  return {
    text: words?.text ?? alt,
    before: words?.before ?? alt,
    // Those of the library may have been saved from here, after the screen was left.
    write: (text: string) => setWords((now) => ({ text, before: now === null || now.text === alt ? alt : now.before })),
    /** Goes on over what somebody else has written. */
    learn: (before: string) => setWords((now) => now && { ...now, before }),
    /** Forgets what was saved, but for what was typed since. */
    settle: (saved: string) => setWords((now) => (now?.text === saved ? null : now)),
  };
}

function keep(name: string, words: TypedWords | null): void {
  try {
    if (words === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(words));
  } catch {
    // The browser keeps nothing: then the form alone has it.
  }
}

function read(name: string, alt: string): TypedWords | null {
  try {
    const { text, before } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<TypedWords>;
    // It was saved, and whoever did has left before they heard of it.
    return typeof text === 'string' && typeof before === 'string' && text !== alt ? { text, before } : null;
  } catch {
    return null;
  }
}
