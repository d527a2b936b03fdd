import { useEffect, useState } from 'react';
import type { PostPresence } from '../../../../src/shared/contracts/post-presence.js';
import { ApiError } from '../../../lib/api-errors.js';
import type { PostApi } from './post-api.js';
import { findTabId } from './tab-id.js';

/** Somebody else's page or save is in sight within two seconds, with the time that requests take. */
const PAUSE_MS = 1_500;
/** Nobody looks. */
const HIDDEN_PAUSE_MS = 20_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Tells the server that this page has the post open, for as long as it has.
 * @returns the last answer; null while there is none, or when it is not known to be true any more
 */
export function usePresence(api: PostApi, postId: string, isTelling: boolean): PostPresence | null {
  const [seen, setSeen] = useState<PostPresence | null>(null);
  useEffect(() => {
    if (!isTelling) return undefined;
    return keepTelling(
      () => api.notePresence(postId, findTabId(), document.hidden),
      (answer) => setSeen((before) => (JSON.stringify(before) === JSON.stringify(answer) ? before : answer)),
    );
  }, [api, postId, isTelling]);
  return isTelling ? seen : null;
}

/**
 * Asks again after each answer, less often out of sight and in trouble, and no more once it is refused: the rights or
 * the post are gone. Returns what ends that.
 */
function keepTelling(ask: () => Promise<PostPresence>, show: (answer: PostPresence | null) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isAsking = false;
  let isLeft = false;

  const tell = async () => {
    if (isAsking || isLeft) return;
    clearTimeout(timer);
    isAsking = true;
    const answer = await ask().catch((error: unknown) => (isFinal(error) ? 'refused' : null));
    isAsking = false;
    if (signal.aborted) return;
    show(answer === 'refused' ? null : answer);
    if (answer === 'refused') return ending.abort();
    failures = answer === null ? failures + 1 : 0;
    const pause = Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    timer = setTimeout(() => void tell(), document.hidden ? Math.max(pause, HIDDEN_PAUSE_MS) : pause);
  };

  document.addEventListener('visibilitychange', () => void tell(), { signal });
  // A page that is left behind says nothing more, unless the browser brings it back as it was.
  // It becomes hidden after it was left: said then, that would be remembered as long as of a tab behind others.
  const leave = () => {
    isLeft = true;
    clearTimeout(timer);
  };
  const comeBack = () => {
    isLeft = false;
    void tell();
  };
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', comeBack, { signal });
  void tell();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
