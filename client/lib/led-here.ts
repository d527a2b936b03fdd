/** State of a navigation that leads somebody to their account before they may go where they wanted to go. */
export interface LedHere {
  /** An address of this site. */
  readonly wanted: string;
}

/** Returns true when the state of a navigation is one of those. */
export function isLedHere(state: unknown): state is LedHere {
  return typeof state === 'object' && state !== null && 'wanted' in state && typeof state.wanted === 'string';
}
