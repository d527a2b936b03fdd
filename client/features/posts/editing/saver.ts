import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { isSameForm, toForm } from './fields.js';
import { findUnsavedDate } from './publication.js';
import type { CopyReason, LocalCopies, LocalCopy } from './local-copies.js';
import { isDirty, startSaving, type Answer, type SaveRequest, type Saving, type SavingEvent } from './saving-state.js';
import { advance } from './saving.js';

/**
 * Text that is on the screen for this long is in the local copy, however fast somebody types on. Writing the copy at
 * every key press would be too often.
 */
export const COPY_WAIT_MS = 300;

/** How a press of 'Save Post' ended, or an attempt of it that is going to be repeated. */
export type SaveOutcome =
  | {
      readonly kind: 'saved';
      /** As it was described before; null for a post that did not exist. */
      readonly before: AdminPost | null;
      readonly post: AdminPost;
      /** Nothing was typed meanwhile. */
      readonly isWhole: boolean;
    }
  | Exclude<Answer, { kind: 'done' }>;

/** The world around an editor. */
export interface SaverWorld {
  readonly send: (postId: string, request: SaveRequest) => Promise<Answer>;
  readonly copies: LocalCopies;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Calls back once; returns what prevents it. */
  readonly startTimer: (callback: () => void, ms: number) => () => void;
}

/** Initial state of an editor. */
export interface SaverStart {
  readonly postId: string;
  /** Null for a post that does not exist yet. */
  readonly post: AdminPost | null;
  /** Initial form of a new post. */
  readonly empty: PostForm;
  readonly isOnline: boolean;
}

/** The state of saving, and whether the text is kept on this device as well. */
export interface SaverState extends Saving {
  /** False once this device refused to keep a copy: it is full, or storage is forbidden. */
  readonly isCopied: boolean;
  /** True when this device has ever refused a copy since the editor opened: that is worth saying once. */
  readonly wasCopyRefused: boolean;
  /** Counts how often the form was given another text from outside, so that it shows it. */
  readonly replaced: number;
}

/** Origin of a text that is put into the form. */
export interface Replacement {
  readonly revisionId?: string;
  readonly copy?: LocalCopy;
  /** The text from which the copy began, when others have changed the post since: a conflict, as if it were saved late. */
  readonly base?: PostForm;
}

/** A change of the post beside saving, given the version from which it has to start. */
export type PostTask = (version: number) => Promise<Answer>;

/** A change that waits for its turn. */
interface WaitingTask {
  readonly start: () => Promise<void>;
  /** Ends it without having tried. */
  readonly giveUp: (answer: Answer) => void;
}

/**
 * Takes one editor's text to the server and keeps a copy on this device until it is there: carries out what
 * {@link advance} decides. At any time, one request at most is under way.
 */
export class Saver {
  readonly postId: string;
  readonly #world: SaverWorld;
  /** Names the local copy of this editor. */
  readonly copyKey: string;
  readonly #listeners = new Set<() => void>();
  readonly #outcomeListeners = new Set<(outcome: SaveOutcome) => void>();
  readonly #tasks: WaitingTask[] = [];
  /** The copy whose text was put into the form. It goes once the copy of this editor or the server has that text. */
  #restored: LocalCopy | null = null;
  /** Mine as it was before a merge that has all of it. It goes with the save of the merged text. */
  #merged: LocalCopy | null = null;
  readonly #empty: PostForm;
  #state: SaverState;
  #stopTimer: () => void = () => undefined;
  #stopCopying: (() => void) | null = null;
  #isClosed = false;
  #isAbandoned = false;

  constructor(world: SaverWorld, { postId, post, empty, isOnline }: SaverStart) {
    this.postId = postId;
    this.#empty = empty;
    this.#world = world;
    this.copyKey = world.copies.keyFor(postId, world.newId());
    this.#state = { ...startSaving(post, empty, isOnline), isCopied: true, wasCopyRefused: false, replaced: 0 };
  }

  readonly getState = (): SaverState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls back whenever an attempt to save by hand was answered. */
  readonly onOutcome = (listener: (outcome: SaveOutcome) => void): (() => void) => {
    this.#outcomeListeners.add(listener);
    return () => this.#outcomeListeners.delete(listener);
  };

  /** Takes what was typed. */
  edit(fields: PostForm): void {
    if (isSameForm(fields, this.#state.fields)) return;
    this.#dispatch({ type: 'edit', fields });
    this.#copySoon();
  }

  /** The switch was moved: the next save publishes or unpublishes the post, if it is not so already. */
  decide(isPublished: boolean): void {
    this.#dispatch({ type: 'decide', isPublished });
  }

  /** A date was typed, or one that was offered was taken: the next save dates the post, null by its first publication. */
  chooseDate(to: string | null): void {
    this.#dispatch({ type: 'date', to });
    this.#copySoon();
  }

  /** They know that the post was published or unpublished meanwhile. */
  acknowledge(): void {
    this.#dispatch({ type: 'acknowledge' });
  }

  /**
   * Puts another text into the form, as if it had been typed: a revision, or a copy of this device. A text that was not
   * saved yet makes room for it and stays on this device. What was decided about publishing stays as it is; a date that
   * comes with a copy is only offered.
   * @returns that text, with which this can be undone; null when there was none
   */
  replace(fields: PostForm, from: Replacement = {}): LocalCopy | null {
    const before = this.#state;
    const aside = this.#isElsewhere() ? null : this.#makeRoom(before);
    if (from.base) this.#dispatch({ type: 'contest', fields, base: from.base });
    else this.#dispatch({ type: 'edit', fields, restoredFrom: from.revisionId ?? null, isAnother: true });
    if (from.copy) this.#dispatch({ type: 'offer-date', date: from.copy.unsavedDate ?? null });
    this.#showAnew();
    this.#restored = from.copy ?? null;
    this.copyNow();
    return aside;
  }

  /** Shows what the server holds. What was typed and decided since goes: its author said so. */
  discard(): void {
    this.#dispatch({ type: 'reset' });
    this.#showAnew();
    this.#forgetRestored();
    this.copyNow();
  }

  save(): void {
    this.#dispatch({ type: 'save' });
  }

  /** Sends what was typed without waiting for a pause. */
  autosaveNow(): void {
    this.#dispatch({ type: 'keep' });
  }

  /**
   * Sends what was typed and waits for the end of it.
   * @returns whether the server has all of it now
   */
  async settle(): Promise<boolean> {
    this.autosaveNow();
    const isMoving = () => this.#state.isInFlight || this.#state.isTaskRunning;
    if (isMoving()) {
      await new Promise<void>((resolve) => {
        const unsubscribe = this.subscribe(() => {
          if (isMoving()) return;
          unsubscribe();
          resolve();
        });
      });
    }
    return !isDirty(this.#state) && this.#state.request === null;
  }

  setOnline(isOnline: boolean): void {
    this.#dispatch({ type: isOnline ? 'online' : 'offline' });
  }

  signedIn(): void {
    this.#dispatch({ type: 'signed-in' });
  }

  /**
   * Ends a conflict. The text that loses stays on this device.
   * @param options.current how the post stands now, when it was changed once more to end the conflict
   * @param options.isForced decides although this device takes no copy; its author was told
   * @returns false when nothing was decided, because there is no place for the text that loses
   */
  resolve(
    choice: 'mine' | 'theirs',
    { isForced = false, current }: { isForced?: boolean; current?: AdminPost } = {},
  ): boolean {
    const { conflict, fields, version } = this.#state;
    if (!conflict) return true;
    const aside =
      choice === 'theirs'
        ? this.#setAside(fields, 'mine', version)
        : this.#setAside(toForm(conflict.current), 'theirs', conflict.current.version);
    if (!aside && !isForced) return false;
    this.#dispatch({ type: 'resolve', choice, ...(current ? { current } : {}) });
    if (choice === 'theirs') this.#showAnew();
    this.copyNow();
    return true;
  }

  /**
   * Ends a conflict with a text that has something of both, which the form shows. It is not saved yet. Mine stays on
   * this device until it is, a text of which something was left out also after that.
   * @returns false when nothing was decided, because there is no place for one of the texts
   */
  merge(
    fields: PostForm,
    leftOut: { readonly mine: boolean; readonly theirs: boolean },
    { isForced = false } = {},
  ): boolean {
    const { conflict, fields: mine, version } = this.#state;
    if (!conflict) return true;
    const { current } = conflict;
    const isTheirsSafe = !leftOut.theirs || this.#setAside(toForm(current), 'theirs', current.version) !== null;
    const aside = isTheirsSafe ? this.#setAside(mine, 'mine', version) : null;
    if (aside === null && !isForced) return false;
    // What was merged before is in mine.
    if (!leftOut.mine) this.#forgetMerged();
    this.#merged = leftOut.mine ? null : aside;
    this.#dispatch({ type: 'merge', fields });
    this.#showAnew();
    this.copyNow();
    return true;
  }

  /**
   * Changes the post in another way, once the save that is under way has ended. Where that comes to nothing, or to a
   * conflict, this ends with the same answer and changes nothing: done whenever saving goes on again, it would come
   * long after its author turned to something else.
   * @param isTextReplaced whether the form shows what comes back, as after discarding changes; what was typed since this
   * was called stays on this device
   */
  run(task: PostTask, { isTextReplaced = false } = {}): Promise<Answer> {
    const { fields: known } = this.#state;
    const ended = new Promise<Answer>((resolve) => {
      const start = async () => {
        this.#dispatch({ type: 'task-start' });
        const answer = await task(this.#state.version).catch((): Answer => ({ kind: 'unreachable' }));
        const isShown = isTextReplaced && answer.kind === 'done' && this.#keepTyped(known, answer.post);
        this.#dispatch({ type: 'task-end', answer, isTextReplaced: isShown });
        if (isShown) {
          this.#showAnew();
          this.#forgetRestored();
        }
        this.copyNow();
        resolve(answer);
      };
      this.#tasks.push({ start, giveUp: resolve });
    });
    this.#startTask();
    return ended;
  }

  /**
   * Looks how the post stands now, when its schedule may have published it: goes on from another version with the same
   * texts, and shows another one as a conflict.
   */
  look(load: () => Promise<Answer>): Promise<Answer> {
    return this.run(async (version) => {
      const answer = await load();
      const hasChanged = answer.kind === 'done' && answer.post.version !== version;
      return hasChanged ? { kind: 'conflict', current: answer.post } : answer;
    });
  }

  /**
   * Shows how the post stands now, for somebody who wants to see it: a form in which nothing waits takes its text, any
   * other goes on as after {@link look}.
   */
  follow(load: () => Promise<Answer>): Promise<Answer> {
    return this.run(
      async () => {
        const answer = await load();
        const { decision, date } = this.#state;
        const isWaiting = isDirty(this.#state) || decision !== null || date !== null;
        return answer.kind === 'done' && isWaiting ? { kind: 'conflict', current: answer.post } : answer;
      },
      { isTextReplaced: true },
    );
  }

  /** Writes the local copy now: the page may be about to go. */
  copyNow(): void {
    this.#stopCopying?.();
    this.#stopCopying = null;
    if (this.#isAbandoned) return;
    // The server has said that it holds this very text, and no date waits to be saved.
    if (!isDirty(this.#state) && findUnsavedDate(this.#state) === null) return this.#world.copies.remove(this.copyKey);
    const copy = this.#toCopy(this.copyKey, this.#state.fields, 'unsent', this.#state.version);
    const isCopied = this.#world.copies.put(copy);
    // Else it would be offered later, older than what was written since.
    if (isCopied && this.#restored) this.#world.copies.remove(this.#restored.key);
    if (isCopied === this.#state.isCopied) return;
    this.#set({ ...this.#state, isCopied, wasCopyRefused: this.#state.wasCopyRefused || !isCopied });
  }

  /** True when the form was given up: nobody is asked about its text any more. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Ends the editor's work; a text that the server does not have stays on this device. */
  finish(): void {
    this.close();
    this.#isAbandoned = true;
  }

  /** Forgets the text of the form and every copy of it, because its author said so. */
  abandon(): void {
    this.#isAbandoned = true;
    this.close();
    this.#world.copies.remove(this.copyKey);
    this.#forgetRestored();
  }

  /** Works until the function that it returns is called: what is not on the server then stays on this device. */
  open(): () => void {
    this.#isClosed = false;
    return () => this.close();
  }

  /** Ends all waiting. What is not on the server stays on this device. */
  close(): void {
    if (this.#isClosed) return;
    this.copyNow();
    this.#isClosed = true;
    this.#stopTimer();
  }

  #set(state: SaverState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #showAnew(): void {
    this.#set({ ...this.#state, replaced: this.#state.replaced + 1 });
  }

  #dispatch(event: SavingEvent): void {
    // What was sent before may still be answered.
    if (this.#isClosed && event.type !== 'answer') return;
    const before = this.#state;
    const { now, newId } = this.#world;
    this.#set({ ...before, ...advance(before, event, { now: now(), newId }) });
    if (this.#isClosed) return;
    this.#stopTimer();
    const { attempt, request, wakeAt } = this.#state;
    if (attempt !== before.attempt && request) void this.#send(request);
    else if (wakeAt !== null) {
      this.#stopTimer = this.#world.startTimer(() => this.#dispatch({ type: 'wake' }), Math.max(0, wakeAt - now()));
    }
    this.#startTask();
  }

  async #send(request: SaveRequest): Promise<void> {
    const answer = await this.#world.send(this.postId, request).catch((): Answer => ({ kind: 'unreachable' }));
    const before = this.#state.server;
    this.#dispatch({ type: 'answer', answer });
    // What a server did not take all of is not saved, whatever it says.
    const outcome: Answer = this.#state.trouble?.kind === 'outdated' ? { kind: 'outdated' } : answer;
    if (outcome.kind === 'done' && !isDirty(this.#state)) this.#forgetRestored();
    if (outcome.kind === 'done' && request.kind === 'save') this.#forgetMerged();
    this.copyNow();
    if (request.kind === 'save') this.#tell(request, outcome, before);
  }

  #tell(request: SaveRequest, answer: Answer, before: AdminPost | null): void {
    // A race that was lost against no other text goes on by itself.
    if (answer.kind === 'conflict' && !this.#state.conflict) return;
    const outcome: SaveOutcome =
      answer.kind === 'done' ? { kind: 'saved', before, post: answer.post, isWhole: this.#isWhole(request) } : answer;
    for (const listener of this.#outcomeListeners) listener(outcome);
  }

  /** Nothing was typed or decided since, by nobody. */
  #isWhole(request: SaveRequest): boolean {
    const { fields, decision, date, overtaking } = this.#state;
    return isSameForm(request.fields, fields) && decision === null && date === null && overtaking === null;
  }

  #startTask(): void {
    const { isInFlight, isTaskRunning, request, isSaveWanted } = this.#state;
    if (isInFlight || isTaskRunning) return;
    const hindrance = findHindrance(this.#state);
    if (hindrance) {
      for (const { giveUp } of this.#tasks.splice(0)) giveUp(hindrance);
    } else if (!request && !isSaveWanted) void this.#tasks.shift()?.start();
  }

  #copySoon(): void {
    // Typing on does not put it off.
    this.#stopCopying ??= this.#world.startTimer(() => this.copyNow(), COPY_WAIT_MS);
  }

  /** Returns true when the text of the form is saved, or stored on this device under a name of its own. */
  #isElsewhere(): boolean {
    const { fields, server } = this.#state;
    if (isSameForm(fields, server?.saved ?? this.#empty)) return true;
    const copies = this.#world.copies.ofPost(this.postId);
    return copies.some(({ key, fields: kept }) => key !== this.copyKey && isSameForm(kept, fields));
  }

  #forgetRestored(): void {
    if (this.#restored) this.#world.copies.remove(this.#restored.key);
    this.#restored = null;
  }

  #forgetMerged(): void {
    if (this.#merged) this.#world.copies.remove(this.#merged.key);
    this.#merged = null;
  }

  /** The text of the form makes room for another one: a copy that was put into it becomes again what it was. */
  #makeRoom({ fields, version }: SaverState): LocalCopy | null {
    const restored = this.#restored;
    if (restored && isSameForm(restored.fields, fields)) return this.#world.copies.put(restored) ? restored : null;
    // What the server never got of a new post is looked for among what was not sent.
    return this.#setAside(fields, version === 0 ? 'unsent' : 'mine', version);
  }

  /**
   * Sets aside what was typed while the text of the form was being replaced.
   * @param known the text that its author wanted replaced
   * @returns false when there is no place for it: then it has to stay in the form
   */
  #keepTyped(known: PostForm, post: AdminPost): boolean {
    const { fields, version } = this.#state;
    return (
      isSameForm(fields, known) || isSameForm(fields, toForm(post)) || this.#setAside(fields, 'mine', version) !== null
    );
  }

  #setAside(fields: PostForm, reason: CopyReason, version: number): LocalCopy | null {
    const copy = this.#toCopy(this.#world.copies.keyFor(this.postId, this.#world.newId()), fields, reason, version);
    return this.#world.copies.put(copy) ? copy : null;
  }

  #toCopy(key: string, fields: PostForm, reason: CopyReason, version: number): LocalCopy {
    const at = new Date(this.#world.now()).toISOString();
    // What others saved has their date, and no unsaved one.
    const unsavedDate = reason === 'theirs' ? null : findUnsavedDate(this.#state);
    return { key, postId: this.postId, version, at, reason, fields, ...(unsavedDate ? { unsavedDate } : {}) };
  }
}

/** The answer to whatever has to wait until somebody has done something, or for a server that nobody knows to come back. */
function findHindrance({ conflict, request, isSaveWanted, trouble }: Saving): Answer | null {
  if (conflict) return { kind: 'conflict', current: conflict.current };
  if (trouble === null || !(request || isSaveWanted)) return null;
  switch (trouble.kind) {
    case 'session-expired':
      return { kind: 'signed-out' };
    case 'offline':
      return { kind: 'unreachable' };
    case 'outdated':
      return { kind: 'outdated' };
    case 'failed':
      return trouble.isRetried ? { kind: 'failed', message: trouble.message } : null;
  }
}
