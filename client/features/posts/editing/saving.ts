import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { hasSameTexts, isSameForm, toForm } from './fields.js';
import {
  askFirst,
  chooseDate,
  followPublication,
  offeredBy,
  settleDecision,
  settleSaved,
  takeOver,
  type DateDecision,
  type Overtaking,
} from './publication.js';

/** Edits are sent once nothing was typed for this long... */
export const IDLE_MS = 2_000;
/** ...or, while somebody types on, this long after the first of them. */
export const LONGEST_WAIT_MS = 10_000;
/** Pause before the first retry; each further pause is twice as long... */
const FIRST_RETRY_MS = 1_000;
/** ...up to this. */
export const LAST_RETRY_MS = 30_000;

/** 'keep' is the autosave, which readers never see; 'save' is what the button 'Save Post' does. */
export type SaveKind = 'keep' | 'save';

/**
 * One series of attempts to save. It never changes: were a later attempt to carry newer text under the same id, an
 * answer to the first one would be taken for an answer to it.
 */
export interface SaveRequest {
  /** By this the server knows an attempt whose answer was lost. */
  readonly saveId: string;
  readonly kind: SaveKind;
  /** The version from which it starts; 0 creates the post. */
  readonly version: number;
  readonly fields: PostForm;
  /** Publishes or unpublishes the post with the save; null leaves its publication as it is, scheduled for example. */
  readonly publication: boolean | null;
  /** Dates the post with the save; null leaves its date as it is. */
  readonly date: DateDecision | null;
  /** The revision from which the text was restored; null when it was not. */
  readonly restoredFrom: string | null;
}

/** How the server answered, as far as saving is concerned. */
export type Answer =
  | { readonly kind: 'done'; readonly post: AdminPost }
  | { readonly kind: 'conflict'; readonly current: AdminPost }
  | { readonly kind: 'signed-out' }
  /** Final: the same request would be refused again. */
  | { readonly kind: 'refused'; readonly message: string; readonly fields?: FieldMessages }
  /** Nobody knows whether it arrived; it is sent again. */
  | { readonly kind: 'unreachable' }
  /** The server is in trouble; it is sent again. */
  | { readonly kind: 'failed'; readonly message: string };

/** The server's messages about single fields. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** A reason why the text does not reach the server. */
export type Trouble =
  | { readonly kind: 'offline' }
  | { readonly kind: 'session-expired' }
  | { readonly kind: 'failed'; readonly message: string; readonly isRetried: boolean };

/** The state of saving in one editor. */
export interface Saving {
  /** The version of the post from which the next request starts. */
  readonly version: number;
  /** The text in the form. */
  readonly fields: PostForm;
  /** The text that the server holds, saved or as a working copy. */
  readonly held: PostForm;
  /**
   * The publication that the writer chose by moving the switch, and that the next save carries out; null as long as the
   * switch was not moved. It is part of no text: no copy and no restored version brings it back (decision 32).
   */
  readonly decision: boolean | null;
  /** The date that the writer typed, which the next save carries out, like {@link Saving.decision}; null without one. */
  readonly date: DateDecision | null;
  /**
   * A date that somebody typed and did not save, found in a copy on this device or in a working copy of the release
   * before. It is shown to be taken by hand, and otherwise changes nothing.
   */
  readonly offeredDate: DateDecision | null;
  /** Null when nobody has to be told. */
  readonly overtaking: Overtaking | null;
  /** The post as the server described it last; null until it exists. */
  readonly server: AdminPost | null;
  /** Sent, and not answered for certain. */
  readonly request: SaveRequest | null;
  readonly isInFlight: boolean;
  /** Something else that changes the version of the post is under way: scheduling, for example. */
  readonly isTaskRunning: boolean;
  readonly isSaveWanted: boolean;
  /** Counts what was sent, so that whoever sends sees when to. */
  readonly attempt: number;
  /** Attempts of the present request that came to nothing. */
  readonly failures: number;
  readonly trouble: Trouble | null;
  readonly isOnline: boolean;
  /** How the post stands now, when a request was refused because somebody else changed it. */
  readonly conflict: { readonly current: AdminPost; readonly kind: SaveKind } | null;
  /** Not worth sending again as it stands. */
  readonly refused: PostForm | null;
  readonly restoredFrom: string | null;
  /** Milliseconds since the epoch, as all times here: the first edit that is not on its way yet, and the last one. */
  readonly editedSince: number | null;
  readonly editedAt: number;
  readonly retryAt: number;
  /** When to look again; null when only something that happens can move things on. */
  readonly wakeAt: number | null;
}

/** An event of an editor. */
export type SavingEvent =
  | { readonly type: 'edit'; readonly fields: PostForm; readonly restoredFrom?: string | null }
  /** The switch was moved. */
  | { readonly type: 'decide'; readonly isPublished: boolean }
  /** A date was typed, or one that was offered was taken. */
  | { readonly type: 'date'; readonly to: string | null }
  /** A copy that was put into the form has a date that was not saved. */
  | { readonly type: 'offer-date'; readonly date: DateDecision | null }
  /** They have read that the post was published or unpublished meanwhile. */
  | { readonly type: 'acknowledge' }
  /** The form is to show what the server holds, as if nothing had been typed or decided. */
  | { readonly type: 'reset' }
  | { readonly type: 'save' }
  /** Keeps what was typed without waiting for a pause. */
  | { readonly type: 'keep' }
  | { readonly type: 'wake' }
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  | { readonly type: 'signed-in' }
  /** `current` when the post has changed once more, by us, since it was refused. */
  | { readonly type: 'resolve'; readonly choice: 'mine' | 'theirs'; readonly current?: AdminPost }
  | { readonly type: 'task-start' }
  | { readonly type: 'task-end'; readonly answer: Answer; readonly isTextReplaced: boolean };

type TaskEnd = Extract<SavingEvent, { type: 'task-end' }>;

/** Inputs of the state machine from outside. */
export interface SavingContext {
  readonly now: number;
  readonly newId: () => string;
}

/**
 * The state of an editor that has just opened.
 * @param post null for a post that does not exist yet
 */
export function startSaving(post: AdminPost | null, empty: PostForm, isOnline: boolean): Saving {
  const fields = post ? toForm(post) : empty;
  return {
    version: post?.version ?? 0,
    fields,
    held: fields,
    decision: null,
    date: null,
    offeredDate: offeredBy(post),
    overtaking: null,
    server: post,
    request: null,
    isInFlight: false,
    isTaskRunning: false,
    isSaveWanted: false,
    attempt: 0,
    failures: 0,
    trouble: null,
    isOnline,
    conflict: null,
    refused: null,
    restoredFrom: null,
    editedSince: null,
    editedAt: 0,
    retryAt: 0,
    wakeAt: null,
  };
}

/** Returns true when the server has not confirmed the text in the form. */
export function isDirty({ fields, held }: Pick<Saving, 'fields' | 'held'>): boolean {
  return !isSameForm(fields, held);
}

/** The next state of an editor. Nothing here touches the network, the clock or the screen. */
export function advance(state: Saving, event: SavingEvent, context: SavingContext): Saving {
  return plan(askFirst(apply(state, event, context)), context);
}

function apply(state: Saving, event: SavingEvent, { now }: SavingContext): Saving {
  switch (event.type) {
    case 'edit':
      return applyEdit(state, event.fields, event.restoredFrom ?? state.restoredFrom, now);
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
      return settleDecision(applyAnswer(state, event.answer, now));
    case 'online':
      return { ...state, isOnline: true, retryAt: now, trouble: withoutOffline(state.trouble) };
    case 'offline':
      return { ...state, isOnline: false };
    case 'signed-in':
      return state.trouble?.kind === 'session-expired' ? { ...state, trouble: null, retryAt: now } : state;
    case 'resolve':
      return settleDecision(applyChoice(state, event.choice, event.current));
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
  const edited = { ...state, fields, restoredFrom, editedAt: now };
  // Told once; what follows is another text, which may fare better.
  const trouble = state.trouble?.kind === 'failed' && !state.trouble.isRetried ? null : state.trouble;
  return { ...edited, trouble, editedSince: isDirty(edited) ? (state.editedSince ?? now) : null };
}

function applySave(state: Saving, now: number): Saving {
  if (state.conflict) return state;
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

function applyAnswer(state: Saving, answer: Answer, now: number): Saving {
  const { request } = state;
  if (!request) return state;
  const answered: Saving = { ...state, isInFlight: false };
  switch (answer.kind) {
    case 'done':
      return applyDone(answered, request, answer.post, now);
    case 'conflict':
      return applyConflict(answered, request, answer.current, now);
    case 'signed-out':
      return { ...answered, trouble: { kind: 'session-expired' } };
    case 'refused':
      return applyRefusal(answered, request, answer);
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

function applyDone(state: Saving, request: SaveRequest, post: AdminPost, now: number): Saving {
  const done: Saving = {
    ...settleSaved(state, request, post, now),
    held: request.fields,
    request: null,
    trouble: null,
    failures: 0,
    refused: null,
    // Whoever saves has seen it beside the form, and did not take it.
    offeredDate: request.kind === 'save' ? null : state.offeredDate,
    // Kept text is not a revision that was restored: only saving it will make it one.
    restoredFrom: request.kind === 'save' ? null : state.restoredFrom,
  };
  return { ...done, editedSince: isDirty(done) ? state.editedSince : null };
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

function applyRefusal(state: Saving, request: SaveRequest, answer: Extract<Answer, { kind: 'refused' }>): Saving {
  // The form shows what is wrong with its fields; the rest stays in sight until something changes.
  const trouble: Trouble | null = answer.fields ? null : { kind: 'failed', message: answer.message, isRetried: false };
  const refused = request.kind === 'keep' ? request.fields : state.refused;
  return { ...state, request: null, failures: 0, trouble, refused };
}

function applyChoice(state: Saving, choice: 'mine' | 'theirs', changed?: AdminPost): Saving {
  if (!state.conflict) return state;
  const { kind } = state.conflict;
  const current = changed ?? state.conflict.current;
  const theirs = toForm(current);
  const isDeleted = state.conflict.current.state === 'trashed';
  const settled: Saving = {
    ...takeOver(state, current),
    conflict: null,
    // They were shown whether it is public now, and what their own switch would do about that.
    overtaking: null,
    // What was deleted comes back as a draft, whatever was decided about it before.
    decision: isDeleted ? null : state.decision,
    held: theirs,
  };
  if (choice === 'theirs') return showServer(settled);
  return { ...settled, isSaveWanted: kind === 'save', editedSince: 0, refused: null };
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

/** Decides what is to be sent now, or when to look again. */
function plan(state: Saving, context: SavingContext): Saving {
  const waiting: Saving = { ...state, wakeAt: null };
  if (state.isInFlight || state.isTaskRunning || state.conflict) return waiting;
  if (state.trouble?.kind === 'session-expired') return waiting;
  if (state.request) return state.retryAt <= context.now ? send(state) : { ...waiting, wakeAt: state.retryAt };
  if (state.isSaveWanted) return send(toRequest(state, 'save', context));
  if (!isDirty(state) || (state.refused && isSameForm(state.refused, state.fields))) return waiting;
  const due = state.isOnline ? keepDueAt(state) : state.editedAt + LAST_RETRY_MS;
  return due <= context.now ? send(toRequest(state, 'keep', context)) : { ...waiting, wakeAt: due };
}

function keepDueAt({ editedAt, editedSince }: Saving): number {
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
