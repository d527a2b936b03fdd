import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { isSameForm, toForm } from './fields.js';
import { offeredBy, type DateDecision, type Overtaking } from './publication.js';

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
  /**
   * Fields of the text were thrown away by a server that does not know them. It is sent only to one that does: the other
   * would save the rest again and again.
   */
  readonly needsFields?: true;
}

/** How the server answered, as far as saving is concerned. */
export type Answer =
  | { readonly kind: 'done'; readonly post: AdminPost }
  | { readonly kind: 'conflict'; readonly current: AdminPost }
  | { readonly kind: 'signed-out' }
  /** Final: the same request would be refused again. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly fields?: FieldMessages;
      /** The next free one, when another post has the slug. */
      readonly freeSlug?: string;
    }
  /** Nobody knows whether it arrived; it is sent again. */
  | { readonly kind: 'unreachable' }
  /** The server is in trouble; it is sent again. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A server of another release does not know all fields, and got nothing; it is sent again. */
  | { readonly kind: 'outdated' };

/** The server's messages about single fields. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** A reason why the text does not reach the server. */
export type Trouble =
  | { readonly kind: 'offline' }
  | { readonly kind: 'session-expired' }
  /** A server of another release did not take all of the text, as while one takes the place of another. It is sent again. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'failed'; readonly message: string; readonly isRetried: boolean };

/** Another text of the post than the one from which the form's began. */
export interface Conflict {
  readonly current: AdminPost;
  readonly kind: SaveKind;
  /** The text from which the form's began, where that is not the one that the server was heard with last. */
  readonly base?: PostForm;
}

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
  /** How the post stands now, when a request was refused because somebody else changed it, or would have to be. */
  readonly conflict: Conflict | null;
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
  /** `isAnother` for a text that takes the place of the one in the form, instead of continuing it. */
  | {
      readonly type: 'edit';
      readonly fields: PostForm;
      readonly restoredFrom?: string | null;
      readonly isAnother?: true;
    }
  /** A text from before others changed the post goes into the form, to be put together with theirs. */
  | { readonly type: 'contest'; readonly fields: PostForm; readonly base: PostForm }
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
  /** The text that was put together of mine and theirs goes into the form, to be read and saved there. */
  | { readonly type: 'merge'; readonly fields: PostForm }
  | { readonly type: 'task-start' }
  | { readonly type: 'task-end'; readonly answer: Answer; readonly isTextReplaced: boolean };

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
