import type { Location } from 'react-router-dom';

/** State of a navigation that sends somebody away who may not stay. */
export const TURNED_AWAY = { isTurnedAway: true } as const;

/** Returns true when the product navigates, not the person. Screens that ask before they are left let it pass. */
export function isTurnedAway({ state }: Pick<Location, 'state'>): boolean {
  return typeof state === 'object' && state !== null && 'isTurnedAway' in state;
}
