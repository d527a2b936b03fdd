import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { EMPTY_FORM, type AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { useSession } from '../../../lib/session.js';
import { holdEditorLock } from './living-editors.js';
import { recallAuthor } from './last-author.js';
import { LocalCopies } from './local-copies.js';
import { PostApi } from './post-api.js';
import { randomId } from '../../../lib/random-id.js';
import { Saver, type SaverState } from './saver.js';
import { isDirty } from './saving-state.js';
import { hasUnsavedDate, hasUnsavedDecision } from './saving-words.js';

/** The storage of this browser, or null where it is forbidden. */
function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The texts of whoever works here that lie on this device. */
export function useLocalCopies(): LocalCopies {
  const { person } = useAdminApi();
  return useMemo(() => new LocalCopies(findStorage(), person.userId), [person.userId]);
}

/** The calls of the editor. */
export function usePostApi(): PostApi {
  const api = useAdminApi();
  return useMemo(() => new PostApi(api), [api]);
}

/**
 * The saver of one editor for as long as it is on the screen.
 * @param post null for a post that does not exist yet
 */
export function useSaver(
  postId: string,
  post: AdminPost | null,
): { readonly saver: Saver; readonly state: SaverState } {
  const api = usePostApi();
  const { person } = useAdminApi();
  const copies = useLocalCopies();
  const [saver] = useState(() => {
    const startTimer = (callback: () => void, ms: number) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    };
    const world = { send: api.send, copies, now: () => Date.now(), newId: randomId, startTimer };
    const empty = { ...EMPTY_FORM, author: recallAuthor(person.userId) || person.name };
    return new Saver(world, { postId, post, empty, isOnline: navigator.onLine });
  });
  const state = useSyncExternalStore(saver.subscribe, saver.getState, saver.getState);
  useEffect(() => saver.open(), [saver]);
  useEffect(() => holdEditorLock(saver.copyKey), [saver]);
  useBrowserEvents(saver);
  useSignIns(saver);
  return { saver, state };
}

/** Tells a saver what happens to the page around it. */
function useBrowserEvents(saver: Saver): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('online', () => saver.setOnline(true), { signal });
    window.addEventListener('offline', () => saver.setOnline(false), { signal });
    window.addEventListener('pagehide', () => saver.copyNow(), { signal });
    document.addEventListener('visibilitychange', () => saver.copyNow(), { signal });
    window.addEventListener(
      'beforeunload',
      (event) => {
        saver.copyNow();
        const state = saver.getState();
        // The browser asks, in words of its own.
        if (isDirty(state) || hasUnsavedDecision(state) || hasUnsavedDate(state) || state.request !== null)
          event.preventDefault();
      },
      { signal },
    );
    return () => listening.abort();
  }, [saver]);
}

/** Goes on once the person has signed in again, here or in another tab. */
function useSignIns(saver: Saver): void {
  const { person } = useAdminApi();
  const session = useSession();
  const isSignedIn = session.status === 'signed-in' && session.userId === person.userId;
  useEffect(() => {
    if (isSignedIn) saver.signedIn();
  }, [isSignedIn, saver]);
}
