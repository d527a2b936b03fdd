import { useEffect, useRef } from 'react';
import { paths } from '../../../../src/shared/paths.js';

/**
 * Gives a new post its own address once it exists, so that a reload finds it. Not by a navigation, which would move the
 * focus away from what is being written.
 */
export function useAddressOfPost(postId: string, exists: boolean): void {
  useEffect(() => {
    if (exists) window.history.replaceState(window.history.state, '', paths.admin.blog(postId));
  }, [exists, postId]);
}

/** Saves by Ctrl+S or Cmd+S, wherever the focus is. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's')
        return;
      // The browser would save the page.
      event.preventDefault();
      if (!event.repeat && document.querySelector('dialog[open]') === null) latest.current();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
