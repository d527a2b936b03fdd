import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { hasSameTexts, isSameForm, toForm, toHeld } from './fields.js';
import { hasProblemField } from './post-problems.js';
import {
  askFirst,
  chooseDate,
  followPublication,
  offeredBy,
  settleDecision,
  settleSaved,
  takeOver,
} from './publication.js';
import { LAST_RETRY_MS, plan } from './saving-plan.js';
import {
  isDirty,
  type Answer,
  type SaveRequest,
  type Saving,
  type SavingContext,
  type SavingEvent,
  type Trouble,
} from './saving-state.js';

/** Pause before the first retry; each further pause is twice as long, up to {@link LAST_RETRY_MS}. */
const FIRST_RETRY_MS = 1_000;

type TaskEnd = Extract<SavingEvent, { type: 'task-end' }>;

/** The next state of an editor. Nothing here touches the network, the clock or the screen. */
export function advance(state: Saving, event: SavingEvent, context: SavingContext): Saving {
  return plan(askFirst(apply(state, event, context)), context);
}

function apply(state: Saving, event: SavingEvent, context: SavingContext): Saving {
  const { now } = context;
  switch (event.type) {
    case 'edit':
      return applyEdit(
        event.isAnother ? withoutContest(state) : state,
        event.fields,
        event.restoredFrom ?? state.restoredFrom,
        now,
      );
    case 'contest':
      return applyContest(state, event.fields, event.base, now);
    case 'decide':
      return settleDecision({ ...state, decision: event.isPublished, overtaking: null });
    case 'date':
      return chooseDate(state, event.to);
    case 'offer-date':
      return { ...state, offeredDate: event.date };
    case 'acknowledge':
      return { ...state, overtaking: null };
    case 'reset':
      return showServer(state);
    case 'save':
      return applySave(state, now);
    case 'keep':
      return isDirty(state) ? { ...state, editedSince: 0, retryAt: now } : state;
    case 'wake':
      return state;
    case 'answer':
      return settleDecision(applyAnswer(state, event.answer, context));
    case 'online':
      return { ...state, isOnline: true, retryAt: now, trouble: withoutOffline(state.trouble) };
    case 'offline':
      return { ...state, isOnline: false };
    case 'signed-in':
      return state.trouble?.kind === 'session-expired' ? { ...state, trouble: null, retryAt: now } : state;
    case 'resolve':
      return settleDecision(applyChoice(state, event.choice, event.current));
    case 'merge':
      return settleDecision(applyMerge(state, event.fields, now));
    case 'task-start':
      return { ...state, isTaskRunning: true };
    case 'task-end':
      return settleDecision(applyTaskEnd({ ...state, isTaskRunning: false }, event, now));
  }
}

function withoutOffline(trouble: Trouble | null): Trouble | null {
  return trouble?.kind === 'offline' ? null : trouble;
}

function showServer(state: Saving): Saving {
  const fields = state.server ? toForm(state.server) : state.held;
  const offeredDate = offeredBy(state.server);
  return {
    ...state,
    fields,
    held: fields,
    decision: null,
    date: null,
    offeredDate,
    editedSince: null,
    restoredFrom: null,
  };
}

function applyEdit(state: Saving, fields: PostForm, restoredFrom: string | null, now: number): Saving {
  const edited = { ...withoutHeldUp(state), fields, restoredFrom, editedAt: now };
  // Told once; what follows is another text, which may fare better.
  const isOver = state.trouble?.kind === 'failed' ? !state.trouble.isRetried : isHeldUp(state) && !isDirty(edited);
  const trouble = isOver ? null : state.trouble;
  return { ...edited, trouble, editedSince: isDirty(edited) ? (state.editedSince ?? now) : null };
}

/** Nothing of the request that waits has arrived: another text can take its place, which is sent as usual. */
function isHeldUp({ trouble, isInFlight }: Saving): boolean {
  return trouble?.kind === 'outdated' && !isInFlight;
}

function withoutHeldUp(state: Saving): Saving {
  return isHeldUp(state) ? { ...state, request: null } : state;
}

/** A text that began before others changed the post is a race that was lost, found out late. */
function applyContest(state: Saving, fields: PostForm, base: PostForm, now: number): Saving {
  const edited = applyEdit(state, fields, null, now);
  const current = state.conflict?.current ?? state.server;
  return current === null ? edited : { ...edited, isSaveWanted: false, conflict: { current, kind: 'keep', base } };
}

/** Another text in the form began somewhere else. */
function withoutContest(state: Saving): Saving {
  return state.conflict?.base ? { ...state, conflict: null } : state;
}

function applySave(before: Saving, now: number): Saving {
  if (before.conflict) return before;
  const state = withoutHeldUp(before);
  const { request } = state;
  // An attempt of the very same save waits to be repeated.
  const isSame =
    request?.kind === 'save' &&
    !state.isInFlight &&
    isSameForm(request.fields, state.fields) &&
    request.publication === state.decision &&
    request.date?.to === state.date?.to;
  const trouble = state.trouble?.kind === 'session-expired' ? state.trouble : null;
  return { ...state, isSaveWanted: !isSame, retryAt: now, failures: 0, trouble };
}

function applyAnswer(state: Saving, answer: Answer, context: SavingContext): Saving {
  const { now } = context;
  const { request } = state;
  if (!request) return state;
  const answered: Saving = { ...state, isInFlight: false };
  switch (answer.kind) {
    case 'done':
      return applyDone(answered, request, answer.post, context);
    case 'conflict':
      return applyConflict(answered, request, answer.current, now);
    case 'signed-out':
      return { ...answered, trouble: { kind: 'session-expired' } };
    case 'refused':
      return applyRefusal(answered, request, answer, now);
    case 'outdated':
      return holdUp(answered, request, now);
    case 'unreachable':
    case 'failed': {
      const trouble: Trouble = answer.kind === 'failed' ? { ...answer, isRetried: true } : { kind: 'offline' };
      return { ...answered, trouble, failures: state.failures + 1, retryAt: now + backOff(state) };
    }
  }
}

function backOff({ failures, isOnline }: Saving): number {
  return isOnline ? Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS) : LAST_RETRY_MS;
}

/** A server of another release did not take all of a text, which is sent again until one does. */
function holdUp(state: Saving, request: SaveRequest, now: number): Saving {
  // What was typed or asked for since has it, too.
  const isLatest = !state.isSaveWanted && isSameForm(request.fields, state.fields);
  return {
    ...state,
    request: isLatest ? request : null,
    trouble: { kind: 'outdated' },
    failures: state.failures + 1,
    retryAt: now + backOff(state),
  };
}

function applyDone(state: Saving, request: SaveRequest, post: AdminPost, { now, newId }: SavingContext): Saving {
  const held = toHeld(request.fields, post, state.server);
  const done: Saving = {
    ...settleSaved(state, request, post, now),
    held,
    request: null,
    trouble: null,
    failures: 0,
    refused: null,
    // Whoever saves has seen it beside the form, and did not take it.
    offeredDate: request.kind === 'save' ? null : state.offeredDate,
    // Kept text is not a revision that was restored: only saving it will make it one.
    restoredFrom: request.kind === 'save' ? null : state.restoredFrom,
  };
  const isUnsaved = isDirty(done);
  if (isSameForm(held, request.fields) || !isUnsaved)
    return { ...done, editedSince: isUnsaved ? state.editedSince : null };
  // What the server does know is saved and decided, by a version of its own.
  const rest = { saveId: newId(), version: post.version, publication: null, date: null, restoredFrom: null };
  const again: SaveRequest = { ...request, ...rest, needsFields: true };
  return holdUp({ ...done, failures: state.failures }, again, now);
}

function applyConflict(state: Saving, request: SaveRequest, current: AdminPost, now: number): Saving {
  const refused: Saving = { ...state, request: null, failures: 0, trouble: null };
  if (!isHarmless(state, current))
    return { ...refused, isSaveWanted: false, conflict: { current, kind: request.kind } };
  // Starts again from there.
  const isSaveWanted = state.isSaveWanted || request.kind === 'save';
  const editedSince = isDirty(refused) ? 0 : null;
  return { ...followPublication(refused, current, now), isSaveWanted, editedSince };
}

/**
 * Returns true when another version of the post has nothing that ours would overwrite: no other text, and no other date
 * where one was typed here. It was only published, unpublished or scheduled meanwhile.
 */
function isHarmless({ server, date }: Saving, current: AdminPost): boolean {
  if (server === null || current.state === 'trashed') return false;
  return hasSameTexts(server, current) && (date === null || server.published_date === current.published_date);
}

function applyRefusal(
  state: Saving,
  request: SaveRequest,
  answer: Extract<Answer, { kind: 'refused' }>,
  now: number,
): Saving {
  // The form has nothing of what a server of another release asks for, and nobody can help it by typing.
  if (answer.fields && !hasProblemField(Object.keys(answer.fields))) return holdUp(state, request, now);
  // The form shows what is wrong with its fields; the rest stays in sight until something changes.
  const trouble: Trouble | null = answer.fields ? null : { kind: 'failed', message: answer.message, isRetried: false };
  const refused = request.kind === 'keep' ? request.fields : state.refused;
  return { ...state, request: null, failures: 0, trouble, refused };
}

function applyChoice(state: Saving, choice: 'mine' | 'theirs', changed?: AdminPost): Saving {
  if (!state.conflict) return state;
  const { kind } = state.conflict;
  const isDeleted = state.conflict.current.state === 'trashed';
  const settled = settleConflict(state, changed ?? state.conflict.current);
  if (choice === 'theirs') return showServer(settled);
  // What was deleted comes back as a draft, whatever was decided about it before.
  const decision = isDeleted ? null : state.decision;
  return { ...settled, decision, isSaveWanted: kind === 'save', editedSince: 0, refused: null };
}

function applyMerge(state: Saving, fields: PostForm, now: number): Saving {
  if (!state.conflict) return state;
  return applyEdit({ ...settleConflict(state, state.conflict.current), refused: null }, fields, null, now);
}

/** Goes on from the text of the other writer, which the server holds. */
function settleConflict(state: Saving, current: AdminPost): Saving {
  // They were shown whether it is public now, and what their own switch would do about that.
  return { ...takeOver(state, current), conflict: null, overtaking: null, held: toForm(current) };
}

function applyTaskEnd(state: Saving, { answer, isTextReplaced }: TaskEnd, now: number): Saving {
  if (answer.kind === 'conflict') {
    if (isHarmless(state, answer.current)) return followPublication(state, answer.current, now);
    return { ...state, conflict: { current: answer.current, kind: 'keep' } };
  }
  if (answer.kind === 'signed-out') return { ...state, trouble: { kind: 'session-expired' } };
  if (answer.kind !== 'done') return state;
  const ended = takeOver(state, answer.post);
  return isTextReplaced ? showServer(ended) : ended;
}
