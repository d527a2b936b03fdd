import { paths } from '../../src/shared/paths.js';
import type { ReadInput } from '../../src/shared/contracts/reads.js';
import { hasHint } from './session-hint.js';

/**
 * Tells the server that a post is read, once the page is seen: not while it is rendered ahead or waits in another tab.
 * Nothing is told by programs, by people who are signed in, as those who write the posts are, and by browsers that ask
 * not to be tracked.
 * @param referrer the address of the page that led here, as browsers tell it; empty where they tell none
 */
export function countRead(slug: string, referrer: string, signal: AbortSignal): void {
  const { webdriver, doNotTrack } = navigator;
  if (webdriver || doNotTrack === '1' || asksForPrivacy() || hasHint()) return;
  const tellWhenSeen = () => {
    if (signal.aborted || document.visibilityState !== 'visible') return;
    document.removeEventListener('visibilitychange', tellWhenSeen);
    const input: ReadInput = { slug, from: referrer && new URL(referrer).hostname };
    void fetch(paths.api.reads, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      keepalive: true,
      credentials: 'omit',
    }).catch(() => undefined);
  };
  document.addEventListener('visibilitychange', tellWhenSeen, { signal });
  tellWhenSeen();
}

/** Global Privacy Control, which not every browser has. */
function asksForPrivacy(): boolean {
  return (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
