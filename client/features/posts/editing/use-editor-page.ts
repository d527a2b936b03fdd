import { useEffect, useRef } from 'react';
import type { AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { shortcutKey } from '../../../lib/shortcut-key.js';

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
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || shortcutKey(event) !== 's') return;
      // The browser would save the page.
      event.preventDefault();
      if (!event.repeat && document.querySelector('dialog[open]') === null) latest.current();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}

/** The longest that a look at the post is put off; timers of browsers cannot wait for many weeks. */
const LONGEST_LOOK_MS = 24 * 3600 * 1000;
/** Time that the server has to publish what is due, before this looks once more. */
const GRACE_MS = 5000;

/** Looks at a scheduled post when its time has come, so that its own schedule is nothing that comes from elsewhere. */
export function useDueLook(server: AdminPost | null, look: () => void): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    if (server?.scheduled_at == null) return undefined;
    const wait = Date.parse(server.scheduled_at) + 1000 - Date.now();
    const timer = setTimeout(() => latest.current(), Math.min(wait > 0 ? wait : GRACE_MS, LONGEST_LOOK_MS));
    return () => clearTimeout(timer);
  }, [server]);
}
