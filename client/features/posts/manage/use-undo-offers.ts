import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';

import { readBroughtDecision } from './brought-decision.js';

/** A publication, or its opposite, that can be taken back. */
export interface Decision {
  readonly before: AdminPostListItem;
  readonly after: AdminPostListItem;
}

interface Offer extends Decision {
  /** The list that it was made in, and where in it. */
  readonly list: string;
  readonly index: number;
}

/** Returns the posts of a list with those that a decision took out of it, where they were. */
export function withDecided(posts: readonly AdminPostListItem[], offers: readonly Offer[]): AdminPostListItem[] {
  const shown = [...posts];
  for (const { after, index } of offers.toSorted((a, b) => a.index - b.index)) {
    if (!shown.some(({ id }) => id === after.id)) shown.splice(index, 0, after);
  }
  return shown;
}

/**
 * The decisions of the last seconds, which rows offer to undo. A post that left the list by one stays until its offer
 * ends.
 * @param list name of the list that is shown
 */
export function useUndoOffers(posts: readonly AdminPostListItem[], list: string) {
  const location = useLocation();
  const [offers, setOffers] = useState<readonly Offer[]>(() => {
    const brought = readBroughtDecision(location.state);
    return brought ? [{ ...brought, list, index: 0 }] : [];
  });
  const rows = withDecided(
    posts,
    offers.filter((offer) => offer.list === list),
  );
  const shown = useRef({ rows, list });
  useEffect(() => {
    shown.current = { rows, list };
  });

  const end = useCallback((id: string) => setOffers((all) => all.filter(({ after }) => after.id !== id)), []);
  const offer = useCallback((decision: Decision) => {
    const place = shown.current;
    const index = place.rows.findIndex(({ id }) => id === decision.after.id);
    const made: Offer = { ...decision, list: place.list, index: Math.max(index, 0) };
    setOffers((all) => [...all.filter(({ after }) => after.id !== made.after.id), made]);
  }, []);

  /** Returns what can be undone of a post as it is shown; nothing once somebody has changed it again. */
  const offerOf = ({ id, version }: AdminPostListItem): Decision | undefined =>
    offers.find(({ after }) => after.id === id && after.version === version);

  return { rows, offer, end, offerOf };
}
