import { UNDO_MS } from '../../../components/undo-offer.js';
import type { Decision } from './use-undo-offers.js';

/** A decision that was made in the editor, as the address of the list brings it along. */
interface BroughtDecision {
  readonly decision: Decision;
  /** Milliseconds since the epoch; a reload later offers nothing. */
  readonly until: number;
}

/** Returns the state of a navigation to the list whose row is to offer that a decision can be undone. */
export function toBroughtDecision(decision: Decision): BroughtDecision {
  return { decision, until: Date.now() + UNDO_MS };
}

/** Returns the decision that a navigation brought; null without one, or when its time is over. */
export function readBroughtDecision(state: unknown): Decision | null {
  const { decision, until } = (state ?? {}) as Partial<BroughtDecision>;
  return decision !== undefined && until !== undefined && until > Date.now() ? decision : null;
}
