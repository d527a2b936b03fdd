/** How often to look if a navigation has come to its end. */
const LOOK_MS = 20;

/**
 * Asks the server for the page at an address for which it has no data. It may lead on: by a redirect, to the new name of
 * a category or a tag, or to the one spelling of an address, which it alone knows. The browser goes there then.
 * @param request of the navigation
 * @returns null where there is no page; nothing where this page goes away
 */
export async function follow({ url, signal }: Request): Promise<null> {
  const from = here();
  const answer = await fetch(url, { method: 'HEAD', redirect: 'manual' }).catch(() => null);
  if (answer?.type !== 'opaqueredirect') return null;
  // The part of the site that would show it may be loading still.
  while (here() === from && from !== url && !signal.aborted)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  // Whoever went on meanwhile stays there.
  if (here() !== url) return null;
  // With its place of the page, which an address without one would lose.
  location.reload();
  return await new Promise<never>(() => undefined);
}

function here(): string {
  return location.href.split('#')[0] ?? '';
}
