import { isSameForm } from './fields.js';
import { isDirty, type SaveKind, type SaveRequest, type Saving, type SavingContext } from './saving-state.js';

/** Edits are sent once nothing was typed for this long... */
export const IDLE_MS = 2_000;
/** ...or, while somebody types on, this long after the first of them. */
export const LONGEST_WAIT_MS = 10_000;
/** The longest pause between two attempts. */
export const LAST_RETRY_MS = 30_000;

/** Decides what is to be sent now, or when to look again. */
export function plan(state: Saving, context: SavingContext): Saving {
  const waiting: Saving = { ...state, wakeAt: null };
  if (state.isInFlight || state.isTaskRunning || state.conflict) return waiting;
  if (state.trouble?.kind === 'session-expired') return waiting;
  if (state.request) return isTime(state.retryAt, context) ? send(state) : { ...waiting, wakeAt: state.retryAt };
  if (state.isSaveWanted) return send(toRequest(state, 'save', context));
  if (!isDirty(state) || (state.refused && isSameForm(state.refused, state.fields))) return waiting;
  const due = state.isOnline ? autosaveDueAt(state) : state.editedAt + LAST_RETRY_MS;
  return isTime(due, context) ? send(toRequest(state, 'keep', context)) : { ...waiting, wakeAt: due };
}

/** Nothing is put off for longer than the longest pause: what seems to be was noted before the clock was put back. */
function isTime(at: number, { now }: SavingContext): boolean {
  return at <= now || at > now + LAST_RETRY_MS;
}

function autosaveDueAt({ editedAt, editedSince }: Saving): number {
  return Math.min(editedAt + IDLE_MS, (editedSince ?? editedAt) + LONGEST_WAIT_MS);
}

function toRequest(state: Saving, kind: SaveKind, { newId }: SavingContext): Saving {
  const { version, fields, restoredFrom } = state;
  const [publication, date] = kind === 'save' ? [state.decision, state.date] : [null, null];
  const request: SaveRequest = { saveId: newId(), kind, version, fields, publication, date, restoredFrom };
  return { ...state, request, failures: 0, isSaveWanted: state.isSaveWanted && kind !== 'save', editedSince: null };
}

function send(state: Saving): Saving {
  return { ...state, isInFlight: true, attempt: state.attempt + 1, wakeAt: null };
}
